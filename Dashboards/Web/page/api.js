// Asking the server, with the token of whoever looks, which stays in this tab; and how records of calls are named, addressed and read.

import { html, isMissing } from './elements.js';

/** Why the server did not answer as hoped, in its own words. */
export class Refusal extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

/** What becomes of a request that nobody answers. */
export const away = () => { throw new Refusal(503, 'the server cannot be reached'); };

/** An address with a query; what is null or empty is left out. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => !isMissing(value) && value !== '');
  return path + (given.length ? `?${given.map(pair => pair.map(encodeURIComponent).join('=')).join('&')}` : '');
}

/** The address of a call in the interface; its id may hold anything. */
export const callPath = (id, rest = '') => `/v1/calls/${encodeURIComponent(id)}${rest}`;

export const readJSON = async (path, query) => (await ask(address(path, query))).json();
export const readText = async (path, query) => (await ask(address(path, query))).text();

/** The answer, which is no refusal. */
export async function ask(path, options = {}) {
  const token = sessionStorage.getItem('token');
  const answer = await fetch(path, { ...options, headers: { ...options.headers, ...token && { Authorization: `Bearer ${token}` } } }).catch(away);
  if (answer.ok) return answer;
  const error = (await answer.json().catch(() => null))?.error, message = error?.message ?? `the server answered ${answer.status}`;
  if (answer.status !== 401 && error?.reason !== 'bad_authorization') throw new Refusal(answer.status, message);
  // Another request may have been asked for a token meanwhile.
  if (sessionStorage.getItem('token') === token) await askForToken(token && message);
  return ask(path, options);
}

let asked = null;

/** Asks once, however many requests wait for it; says why the token that it had is not taken. */
function askForToken(refusal) {
  asked ??= new Promise(done => {
    const field = html('input', { id: 'token', type: 'password', autocomplete: 'off', required: true, pattern: '\\s*[!-~]+\\s*', title: 'The token alone, as it was handed out' });
    const dialog = html('dialog', { 'aria-labelledby': 'token-label' }, html('form', { method: 'dialog' },
      html('p', { class: refusal && 'failure', role: 'alert' }, refusal ? `The token was refused: ${refusal}.` : 'This server shows calls to those with a token; who runs it hands them out.'),
      html('label', { id: 'token-label' }, 'Token of scope read, for this tab', field), html('button', 'Use it')));
    dialog.addEventListener('cancel', event => event.preventDefault());
    dialog.addEventListener('close', () => {
      sessionStorage.setItem('token', field.value.trim());
      dialog.remove();
      asked = null;
      done();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
  return asked;
}

/** The address of a record in the page. */
export const recordAddress = call => address('/call', { id: call.callId, observer: call.observer, attempt: call.attempt > 1 ? call.attempt : null });

/** What names a record, for marking. */
export const recordName = call => JSON.stringify({ '': call.callId, Observer: call.observer, Attempt: call.attempt });

/** The address where two records are compared. */
export const compareAddress = (a, b) => address('/compare', { a: a.callId, aObserver: a.observer, aAttempt: a.attempt, b: b.callId, bObserver: b.observer, bAttempt: b.attempt });

/** As many points of a stream as a wide screen has room for. */
export const POINTS = 400;

/** A record with its events and series; the first of the call when the query names none. */
export async function readRecord({ id, observer, attempt }) {
  if (!id) throw new Error('The address names no call: /call?id=…');
  const { records } = await readJSON(callPath(id), { attempt });
  const summary = records.find(record => record.observer === observer) ?? records.at(0);
  if (observer && summary.observer !== observer) throw new Error(`The call has no observer ${observer}.`);
  const which = { observer: summary.observer, attempt: summary.attempt };
  const path = rest => callPath(summary.callId, rest);
  const [events, series] = await Promise.all([readJSON(path('/events'), which), readJSON(path('/series'), { ...which, points: POINTS })]);
  return { records, which, data: { summary, events: events.records[0].events, series: series.records[0] } };
}
