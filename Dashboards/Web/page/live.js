// Live: the calls that go on, by Server-Sent Events.

import { recordAddress, recordName } from './api.js';
import { smallRibbon } from './chart.js';
import { NONE, counted, html, moment, quiet, scoreBadge, scroller, worded } from './elements.js';
import { follow } from './follow.js';
import { callRow } from './list.js';

const WINDOW_MILLISECONDS = 60_000, PARTS = 20, MOST = 200;

export async function showPage({ signal, say }) {
  const calls = new Map();
  const state = quiet('connecting'), body = html('tbody'), tail = html('ol', { class: 'tail', 'aria-label': 'Latest events' });
  const count = html('b', NONE), listed = html('span');
  // Both ends of a call are one.
  const going = () => new Set([...calls.values()].map(call => call.callId)).size;
  let isDue = false, isTold = false;
  const redraw = () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      if (isTold) count.textContent = String(going());
      listed.textContent = calls.size > MOST ? ` · ${MOST} records listed` : '';
      const focused = document.activeElement?.closest('tr[data-call]')?.dataset.call;
      body.replaceChildren(...[...calls.values()].slice(-MOST).reverse().map(row));
      if (focused) [...body.children].find(one => one.dataset.call === focused)?.querySelector('a').focus({ preventScroll: true });
    }, 250);
  };
  // The last minute passes without any event, too.
  const clock = setInterval(redraw, WINDOW_MILLISECONDS / PARTS);
  signal.addEventListener('abort', () => clearInterval(clock));
  const take = (event, data) => {
    if (event === 'snapshot' || event === 'reset') {
      calls.clear();
      isTold = true;
      for (const head of [...data.calls ?? []].reverse()) calls.set(recordName(head), { ...head, points: told(head), issues: new Set() });
      say(`${counted(going(), 'call')} going on`);
    } else {
      const name = recordName(data), call = calls.get(name) ?? { ...data, points: [], issues: new Set() };
      calls.delete(name);
      if (event !== 'callEnded') calls.set(name, call);
      if (event === 'inboundQualityChanged') call.points = recent(call.points).concat({ time: Date.now(), score: data.score });
      if (event === 'issueRaised') call.issues.add(data.issue);
      if (event === 'issueCleared') call.issues.delete(data.issue);
      tail.prepend(html('li', moment(data.time, true), ` ${worded(event)} `, html('a', { href: recordAddress(data) }, data.callId, ' ', data.observer),
        ` ${data.score ?? worded(data.issue ?? (data.reason === 'erased' ? data.reason : data.outcome) ?? '')}`));
      while (tail.children.length > 30) tail.lastChild.remove();
    }
    redraw();
  };
  follow('/v1/live', { signal, onEvent: take, onState: text => state.textContent = text });
  return [
    html('h1', 'Live'), html('p', count, ' going on', listed), state,
    scroller('Calls going on', html('table',
      html('thead', html('tr', ['Call', 'Now', 'Last 60 s', 'Open issues'].map((head, index) => html('th', { scope: 'col', class: index > 2 ? 'wide' : null }, head)))), body)),
    html('h2', 'Events'), tail,
  ];
}

function row(call) {
  return callRow(call, call.observer, [
    html('td', scoreBadge(call.points.at(-1)?.score ?? null, true)), html('td', smallRibbon(parts(call.points))),
    html('td', { class: 'wide' }, [...call.issues].map(worded).join(', '))]);
}

/** The points of the last minute, and the one that held when it began. Their times are when this page was told. */
function recent(points) {
  const start = Date.now() - WINDOW_MILLISECONDS;
  return points.slice(Math.max(0, points.findLastIndex(point => point.time <= start)));
}

/** The score in each part of the last minute; it holds until the next one is told. */
function parts(points) {
  if (!points.length) return [];
  const start = Date.now() - WINDOW_MILLISECONDS;
  return Array.from({ length: PARTS }, (_, index) => {
    const until = start + (index + 1) * WINDOW_MILLISECONDS / PARTS;
    return points.findLast(point => point.time <= until)?.score ?? null;
  });
}

/** The score as last told, of a call that went on before. */
function told(head) {
  const score = head.inboundQuality ?? head.score;
  return score === null ? [] : [{ time: Date.now(), score }];
}
