// The table of calls, which several pages have.

import { smallRibbon } from './bars.js';
import { html, quiet, scroller } from './elements.js';
import { recordAddress, recordName } from './records.js';
import { NONE, duration, moment, scoreBadge, worded } from './words.js';

/** Calls as a table; sorts: {column: address} for columns that can be sorted by, sorted: the one that is. */
export function callTable(label, calls, sorts = {}, sorted = '') {
  if (!calls.length) return quiet('No calls.');
  const head = (name, kind) => html('th', {
    scope: 'col', class: kind, 'aria-sort': sorted === name ? 'other' : null,
  }, sorts[name] ? html('a', { href: sorts[name] }, name, sorted === name ? ' ↓' : '') : name);
  return scroller(label, html('table', { class: 'calls' },
    html('thead', {}, html('tr', {}, head('Call'), head('Score'), head('Worst'), head('Course', 'wide'), head('Start', 'wide'),
      head('Answer to media', 'wide'), head('Duration', 'wide'), head('Main cause', 'wide'), head('Outcome', 'wide'))),
    html('tbody', {}, calls.map(call => html('tr', { 'data-call': recordName(call) },
      html('th', { scope: 'row' }, html('a', { href: recordAddress(call) }, call.callId), html('small', {}, [call.observer, call.client].filter(Boolean).join(' · '))),
      html('td', {}, scoreBadge(call.score, true)), html('td', {}, scoreBadge(call.worstScore, true)),
      html('td', { class: 'wide' }, smallRibbon(call.ribbon ?? [])), html('td', { class: 'wide' }, moment(call.start)),
      html('td', { class: 'wide' }, duration(call.setupMilliseconds)), html('td', { class: 'wide' }, duration(call.durationMilliseconds)),
      html('td', { class: 'wide' }, worded(call.leadingCause)),
      html('td', { class: 'wide' }, call.state === 'live' ? 'going on' : worded(call.outcome) || NONE))))));
}
