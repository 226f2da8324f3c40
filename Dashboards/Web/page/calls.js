// Calls: a list with its filters in the address, so that it can be sent to someone.

import { address, readJSON } from './api.js';
import { BANDS, RECORD, counted, html, quiet, worded } from './elements.js';
import { callTable } from './list.js';

const ISSUES = ['oneWayAudio', 'silentMicrophone', 'silentFarEnd', 'blackout', 'packetLoss', 'lossBursts', 'jitter', 'delay', 'concealment',
  'freeze', 'lowFrameRate', 'cpuLimited', 'bandwidthLimited', 'relayOverTCP', 'pathChange', 'iceDisconnected', 'slowSetup', 'lateGathering',
  'ipChange', 'codecFallback', 'stuckDecoder', 'clockTrouble', 'missingReports', 'neverConnected', 'echo', 'unacknowledgedAnswer'];
const CAUSES = ['loss', 'burst', 'late', 'stretch', 'blackout', 'delay', 'jitterBuffer', 'freeze', 'frameRate', 'resolution', 'blockiness', 'videoLoss'];
const OUTCOMES = ['connected', 'notConnected,notAnswered', 'notConnected', 'notAnswered', 'unknown'];

const CHOICES = [
  ['band', 'Score', BANDS.map(band => [band.name, `${band.sign} ${band.name}`]).concat([['none', 'none']])],
  ['maxWorst', 'Worst at most', [59, 69, 79, 89].map(score => [String(score), String(score)])],
  ['outcome', 'Outcome', OUTCOMES.map(name => [name, name.split(',').map(worded).join(' or ')])],
  ['cause', 'Main cause', CAUSES.map(name => [name, worded(name)])], ['issue', 'Issue', ISSUES.map(name => [name, worded(name)])],
  ['relay', 'Relay', [['relayed', 'relayed'], ['direct', 'direct'], ['unknown', 'not known']]],
  ['state', 'State', [['live', 'going on'], ['ended', 'ended']]],
];
const SORTS = { Start: 'newest', Score: 'worst', Worst: 'worstStretch', 'Answer to media': 'slowestSetup', Duration: 'longest' };

const TIMES = { from: 'Started from', to: 'Started before' };

/** A moment of the address as a field has it: in the viewer's zone, to the second, which it leaves out where that is 0. */
function local(moment) {
  const date = new Date(/^\d+$/.test(moment) ? Number(moment) : moment);
  return date > 0 ? new Date(date - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace(/:00$/, '') : '';
}

/** Whether a narrow screen shows all fields; it stays so while they are filled in. */
let isUnfolded = false;

export async function showPage({ query, open, say }) {
  const page = await readJSON('/v1/calls', { ...query, limit: 50 });
  const { cursor, ...filters } = query, sort = query.sort ?? 'newest', asked = Object.keys(filters).filter(name => name !== 'sort');
  const go = () => {
    const entries = [...new FormData(form)].map(([name, value]) =>
      [name, !value || !TIMES[name] ? value : value === local(query[name]) ? query[name] : new Date(value).toISOString()]);
    open(address('/calls', { ...keep(filters), ...Object.fromEntries(entries) }), true);
  };
  const select = ([name, label, options]) => html('label', label, html('select', { name, onchange: go },
    html('option', { value: '' }, 'any'), options.map(([value, text]) => html('option', { value, selected: query[name] === value }, text)),
    query[name] && !options.some(([value]) => value === query[name]) ? html('option', { value: query[name], selected: true }, query[name]) : null));
  const field = (name, label, more) => html('label', label, html('input', { id: name, name, ...more }));
  const text = (name, label, placeholder) => field(name, label, { type: 'search', value: query[name], placeholder, onchange: go });
  // A change is told of with every digit of a year.
  const time = ([name, label]) => field(name, label, {
    type: 'datetime-local', step: 1, value: local(query[name]), onkeydown: event => event.key === 'Enter' && event.target.blur(),
    onblur: event => event.target.value !== local(query[name]) && go(),
  });
  const set = asked.filter(name => name !== 'q' && !keep(filters)[name]).length;
  const more = html('button', { type: 'button', 'aria-expanded': `${isUnfolded}`, onclick: () => more.ariaExpanded = isUnfolded = !isUnfolded },
    'More filters', set > 0 && `, ${set} set`);
  const form = html('form', { class: 'filters', role: 'search', 'aria-label': 'Calls', onsubmit: event => { event.preventDefault(); go(); } },
    text('q', 'Call', 'part of an id'), more, Object.entries(TIMES).map(time), CHOICES.map(select),
    text('codec', 'Codec', 'opus'), text('client', 'Client', 'Chrome'), text('observer', 'Observer', 'caller'));
  const kept = Object.entries(keep(filters)).filter(([name]) => name !== 'sort');
  const count = `${counted(page.calls.length, RECORD)}${page.next ? ' on this page, and more' : ''}`;
  say(count);
  return [
    html('h1', 'Calls'), form,
    quiet(count, kept.map(([name, value]) => ` · ${worded(name)} ${value}`),
      asked.length ? [' · ', html('a', { href: address('/calls', { sort: query.sort }) }, 'all calls')] : null),
    callTable('Calls', page.calls, Object.fromEntries(Object.entries(SORTS).map(([column, order]) => [column, address('/calls', { ...filters, sort: order })])),
      Object.keys(SORTS).find(column => SORTS[column] === sort)),
    html('nav', { class: 'pager', 'aria-label': 'Pages of the list' },
      cursor ? html('a', { href: address('/calls', filters) }, '⇤ First page') : null,
      page.next ? html('a', { href: address('/calls', { ...filters, cursor: page.next }), rel: 'next' }, 'Next page →') : null),
  ];
}

/** Filters that have no field of their own. */
const keep = filters => Object.fromEntries(Object.entries(filters).filter(([name]) => ['sort', 'setupFrom', 'setupTo', 'minScore', 'maxScore'].includes(name)));
