// Compare: two records side by side, aligned at the answer, on the same scales. Two ends of one call by default.

import { compareAddress, readRecord, recordAddress } from './api.js';
import { Cursor, scoreRibbon, table, timeChart } from './chart.js';
import { STREAM_FIGURES, answerToMedia, courseOf, soundHeard, streamValue } from './course.js';
import { NONE, amount, html, quiet, scoreBadge, titled, worded } from './elements.js';

const FIGURES = [
  ['Score', summary => summary.score, ''], ['Worst stretch', summary => summary.worstScore, ''],
  ...STREAM_FIGURES.map(one => [one[0], summary => streamValue(soundHeard(summary), one), one[2]]),
  ['Answer to media', summary => answerToMedia(summary.setup), 'ms'],
];

export async function showPage({ query, say }) {
  const side = name => ({ id: query[name], observer: query[`${name}Observer`], attempt: query[`${name}Attempt`] });
  if (!query.a) throw new Error('Mark two calls in the list with x, then press c; or open /compare?a=ID for the two ends of a call.');
  const left = await readRecord(side('a'));
  const { summary } = left.data, others = [...left.records.filter(one => one !== summary), ...summary.relatedCalls ?? []];
  const right = await readRecord(query.b ? side('b') : otherEnd(others, summary));
  const pair = [left, right].map(({ data }) => ({ summary: data.summary, course: courseOf(data), zero: answeredAt(data.summary) }));
  const names = pair[0].summary.callId === pair[1].summary.callId ? pair.map(one => one.summary.observer) : pair.map(one => `${one.summary.callId.slice(0, 8)} ${one.summary.observer}`);
  say(`Comparing ${names.join(' and ')}`);
  const moved = pair.map(aligned);
  const span = { start: Math.min(...moved.map(one => one.span.start)), end: Math.max(...moved.map(one => one.span.end)) };
  const cursor = new Cursor(), charts = joined(moved).map(chart => timeChart({ ...chart, span, origin: 0, marks: [], shades: [], cursor }));
  const shown = moved[0].outages[0] ?? span;
  cursor.set((shown.start + shown.end) / 2);
  return [
    titled(html('h1', 'Compare'), 'With', others.map(one => [
      compareAddress(summary, one), ['callId', 'observer', 'attempt'].every(name => (one[name] ?? right.data.summary[name]) === right.data.summary[name]),
      one.observer ?? one.callId.slice(0, 8), one.attempt > 1 && ` ${one.attempt}`,
    ]).concat([[compareAddress(right.data.summary, summary), false, '⇄ swap']])),
    quiet('Times are counted from the answer, else from the first media.'),
    ...pair.map(({ summary }, index) => html('section', { class: 'timeline' },
      html('p', html('b', 'AB'[index]), ' ', html('a', { href: recordAddress(summary) }, names[index]), ' ', scoreBadge(summary.score), ` · ${worded(summary.outcome)}`),
      scoreRibbon({ ...moved[index], span }))),
    html('section', differences(pair, names)),
    html('div', { class: 'charts' }, charts),
  ];
}

/** The other end of a call: of its own id, else of a call known to be the same. */
function otherEnd(others, { observer }) {
  const found = others.find(one => one.observer !== observer);
  if (!found) throw new Error('Nobody else reported this call; name the other one with &b=ID.');
  return { id: found.callId, observer: found.observer, attempt: found.attempt };
}

function answeredAt({ setup, createdAt, firstMediaAt, start }) {
  if (createdAt && setup.answerDelayMilliseconds !== null) return Date.parse(createdAt) + setup.answerDelayMilliseconds;
  return Date.parse(firstMediaAt ?? start);
}

/** A course with its times counted from the answer. */
function aligned({ course, zero }) {
  const move = one => ({ ...one, start: one.start - zero, end: one.end - zero });
  return {
    span: move(course.span), windows: course.windows.map(move), outages: course.outages.map(move),
    charts: course.charts.map(chart => ({ ...chart, series: chart.series.map(line => ({ ...line, rows: line.rows.map(move) })) })),
  };
}

/** The charts of what both received, each line once for A and once for B. */
function joined([a, b]) {
  const titles = [...new Set([...a.charts, ...b.charts].map(chart => chart.title))];
  return titles.map(title => {
    const found = [a, b].map(one => one.charts.find(chart => chart.title === title));
    const names = [...new Set(found.flatMap(chart => chart?.series.filter(line => line.name.startsWith('in ')).map(line => line.name) ?? []))];
    const series = names.flatMap(name => found.flatMap((chart, index) =>
      (chart?.series ?? []).filter(line => line.name === name).map(line => ({ ...line, name: `${'AB'[index]} ${name}` }))));
    return { ...(found[0] ?? found[1]), series };
  }).filter(chart => chart.series.length);
}

function differences(pair, names) {
  return table('Figures', ['', `A ${names[0]}`, `B ${names[1]}`, 'B − A'], FIGURES.map(([name, value, unit]) => {
    const [a, b] = pair.map(one => value(one.summary)), isKnown = Number.isFinite(a) && Number.isFinite(b);
    return [name, amount(a, unit), amount(b, unit), isKnown ? `${b > a ? '+' : ''}${amount(b - a, unit)}` : NONE];
  }).filter(row => row[1] !== NONE || row[2] !== NONE));
}
