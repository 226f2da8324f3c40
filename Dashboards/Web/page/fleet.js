// Fleet: how calls go in all. Every bar is a link to the calls it counts.

import { address, readJSON } from './api.js';
import { barList, hair } from './chart.js';
import { BANDS, NONE, RECORD, cards, counted, drawnAtWidth, duration, html, part, quiet, roundedUp, scale, scoreBadge, svg, titled, worded } from './elements.js';
import { callTable } from './list.js';

const RANGES = [['hour', 'last hour', 3_600_000], ['day', 'last day', 86_400_000], ['week', 'last week', 604_800_000], ['all', 'all that is kept', null]];

export async function showPage({ query, say }) {
  const [range, name, milliseconds] = RANGES.find(([id]) => id === query.range) ?? RANGES.at(-1);
  const from = milliseconds ? new Date(Date.now() - milliseconds).toISOString() : null;
  const fleet = await readJSON('/v1/fleet', { from });
  const calls = filters => address('/calls', { from, ...filters });
  const card = (title, value, filters) => [title, html('a', { href: calls(filters) }, value)];
  say(`${counted(fleet.calls, RECORD)}, ${name}`);
  return [
    titled(html('h1', 'Fleet'), 'Range', RANGES.map(([id, text]) => [address('/', { range: id }), id === range, text])),
    cards([
      card('Call records', fleet.calls.toLocaleString('en'), {}), card('Median score', scoreBadge(fleet.medianScore), { sort: 'worst' }),
      card('With a bad stretch', fleet.callsWithBadStretch.toLocaleString('en'), { maxWorst: 69, sort: 'worstStretch' }),
      card('Failed or unanswered', fleet.failedOrUnanswered.toLocaleString('en'), { outcome: 'notConnected,notAnswered' }),
      card('Answer to media, median', duration(fleet.setup.medianMilliseconds), { sort: 'slowestSetup' }), card('Answer to media, 95 %', duration(fleet.setup.p95Milliseconds), { sort: 'slowestSetup' })]),
    quiet('Records are counted: each end that told of a call has one.'),
    html('div', { class: 'columns' },
      part('Scores', histogram('Call records by score', BANDS.map(band => {
        const found = fleet.bands.find(one => one.band === band.name);
        return {
          name: `${band.sign} ${band.name}`, short: band.name, detail: `${found.from}–${found.to}`, value: found.calls, kind: band.name,
          address: calls({ band: band.name }), label: `${band.name}: ${counted(found.calls, RECORD)}`,
        };
      })), quiet(html('a', { href: calls({ band: 'none' }) }, `${fleet.unscored} without a score`))),
      part('Answer to media', histogram('Call records by time from the answer to media', fleet.setup.buckets.map(bucket => {
        const to = bucket.toMilliseconds, text = to === null ? `> ${bucket.fromMilliseconds / 1000}` : `${bucket.fromMilliseconds / 1000}–${to / 1000}`;
        return {
          name: text, short: String(bucket.fromMilliseconds / 1000), detail: 's', value: bucket.calls, kind: 'plain', address: calls({ setupFrom: bucket.fromMilliseconds, setupTo: to }),
          label: `${text} s: ${counted(bucket.calls, RECORD)}`,
        };
      })))),
    html('div', { class: 'columns' },
      part('Main cause', fleet.causes.length ? barList('Call records by main cause', fleet.causes.map(one => ({
        name: worded(one.cause), value: one.calls, text: one.calls, kind: 'plain', address: calls({ cause: one.cause }),
      }))) : quiet(NONE)),
      part('Relay', barList('Call records by relay', Object.entries({ direct: 'direct', relayed: 'by a relay', unknown: 'not known' }).map(([relay, text]) => ({
        name: text, value: fleet.relay[relay], text: fleet.relay[relay], kind: 'plain', address: calls({ relay }),
      }))))),
    part('Worst calls', callTable('Worst calls', fleet.worst)),
  ];
}

/** Upright bars of counts side by side; each a link. Rows: {name, short, detail, value, address, kind, label}. */
function histogram(label, rows) {
  return drawnAtWidth(width => {
    const height = 150, bottom = height - 34, slot = width / rows.length;
    const y = scale(0, roundedUp(Math.max(1, ...rows.map(row => row.value))), bottom, 16);
    return svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': label },
      hair(0, width, bottom),
      rows.map((row, index) => {
        const middle = slot * (index + 0.5);
        return svg('a', { href: row.address, 'aria-label': row.label, class: 'target' },
          svg('rect', { x: slot * index, width: slot, y: 0, height, class: 'hit' }),
          svg('rect', { x: slot * index + slot * 0.14, width: slot * 0.72, y: y(row.value), height: Math.max(row.value > 0 ? 2 : 0, bottom - y(row.value)), class: `bar ${row.kind ?? ''}` }),
          svg('text', { x: middle, y: y(row.value) - 5, class: 'middle strong' }, String(row.value)),
          svg('text', { x: middle, y: bottom + 14, class: 'middle' }, row.name.length * 7 > slot ? row.short : row.name),
          svg('text', { x: middle, y: bottom + 28, class: 'tick middle' }, row.detail ?? ''));
      }));
  });
}
