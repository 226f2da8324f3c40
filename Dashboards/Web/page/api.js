// Asking the server, with the token of whoever looks, which stays in this tab.

import { html } from './elements.js';

/** Why the server did not answer as hoped, in its own words. */
export class Refusal extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

/** An address with a query; what is null or empty is left out. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return path + (given.length ? `?${given.map(pair => pair.map(encodeURIComponent).join('=')).join('&')}` : '');
}

/** The address of a call in the interface; its id may hold anything. */
export const callPath = (id, rest = '') => `/v1/calls/${encodeURIComponent(id)}${rest}`;

export const readJSON = async (path, query) => (await ask(address(path, query))).json();
export const readText = async (path, query) => (await ask(address(path, query))).text();

/** The answer, which is no refusal. */
export async function ask(path, options = {}) {
  const token = sessionStorage.getItem('token');
  const answer = await fetch(path, { ...options, headers: { ...options.headers, ...token && { Authorization: `Bearer ${token}` } } });
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
      html('label', { id: 'token-label' }, 'Token of scope read, for this tab', field), html('button', {}, 'Use it')));
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
