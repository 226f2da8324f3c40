// The table of calls, which several pages have.

import { recordAddress, recordName } from './api.js';
import { smallRibbon } from './chart.js';
import { duration, goingOn, html, moment, quiet, scoreBadge, scroller, worded } from './elements.js';

/** The columns after the call: name, what stands there, and whether there is room for it on a wide screen alone. */
const COLUMNS = [
  ['Score', call => scoreBadge(call.score, true)], ['Worst', call => scoreBadge(call.worstScore, true)],
  ['Course', call => smallRibbon(call.ribbon ?? []), 'wide'], ['Start', call => moment(call.start), 'wide'],
  ['Answer to media', call => duration(call.setupMilliseconds), 'wide'], ['Duration', call => duration(call.durationMilliseconds), 'wide'],
  ['Main cause', call => worded(call.leadingCause), 'wide'], ['Outcome', call => goingOn(call) || worded(call.outcome), 'wide'],
];

/** A row for a call, with a line of quiet words below its id. */
export const callRow = (call, words, cells) => html('tr', { 'data-call': recordName(call) },
  html('th', { scope: 'row' }, html('a', { href: recordAddress(call) }, call.callId), html('small', words)), cells);

/** Calls as a table; sorts: {column: address} for columns that can be sorted by, sorted: the one that is. */
export function callTable(label, calls, sorts = {}, sorted = '') {
  if (!calls.length) return quiet('No calls.');
  return scroller(label, html('table', { class: 'calls' },
    html('thead', html('tr', [['Call'], ...COLUMNS].map(([name, , kind]) => html('th', {
      scope: 'col', class: kind, 'aria-sort': sorted === name ? 'other' : null,
    }, sorts[name] ? html('a', { href: sorts[name] }, name, sorted === name ? ' ↓' : '') : name)))),
    html('tbody', calls.map(call => callRow(call, [[call.observer, call.client].filter(Boolean).join(' · '), html('span', { class: 'narrow' }, ' · ', moment(call.start))],
      COLUMNS.map(([, cell, kind]) => html('td', { class: kind }, cell(call))))))));
}
