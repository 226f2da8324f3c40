// Asking the server, with the token of whoever looks, which stays in this tab.

import { html } from './elements.js';

/** Why the server did not answer as hoped, in its own words. */
export class Refusal extends Error {
  constructor(status, message) { super(message); this.status = status; }
}

/** An address with a query; what is null or empty is left out. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  // Not URLSearchParams, which writes spaces as "+": that is for forms, and the interface takes it as it stands.
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
  if (answer.status === 401) {
    await askForToken();
    return ask(path, options);
  }
  if (answer.ok) return answer;
  const body = await answer.json().catch(() => null);
  throw new Refusal(answer.status, body?.error?.message ?? `the server answered ${answer.status}`);
}

let asked = null;

/** Asks once, however many requests wait for it. */
function askForToken() {
  asked ??= new Promise(done => {
    const field = html('input', { id: 'token', type: 'password', autocomplete: 'off', required: true });
    const dialog = html('dialog', { 'aria-labelledby': 'token-label' }, html('form', { method: 'dialog' },
      html('label', { id: 'token-label' }, 'This server wants a token of scope read.', field), html('button', {}, 'Use it')));
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
