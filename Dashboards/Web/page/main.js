// The page: which of its addresses is open, the keys, the theme.

import { away } from './api.js';
import { button, html } from './elements.js';

/** Title and module by address; a page is loaded when it is first opened. */
const PAGES = {
  '/': ['Fleet', './fleet.js'], '/calls': ['Calls', './calls.js'], '/call': ['Call', './call.js'],
  '/compare': ['Compare', './compare.js'], '/live': ['Live', './live.js'], '/health': ['Health', './health.js'],
};
const KEYS = [
  ['g f', 'fleet'], ['g c', 'calls'], ['g l', 'live'], ['g h', 'health'], ['/', 'search calls'],
  ['j k', 'next and previous call'], ['Enter', 'open it'], ['x', 'mark it'], ['c', 'compare the two marked'],
  ['← →', 'move along a call'], ['Page ↑ ↓', 'in large steps'], ['?', 'these keys'],
];

const main = document.querySelector('main'), status = document.querySelector('[role=status]');
let leaving = new AbortController(), marked = [], isGoing = false, showing = null;

/** Tells those who listen to the page, not look at it. */
const say = text => status.textContent = text;

/** Opens an address of the page without loading it anew. */
function open(address, isSame = false) {
  history[isSame ? 'replaceState' : 'pushState'](null, '', address);
  reload();
}

/** Shows what is new at the address that is open. */
const reload = () => showing = show();

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving, [title, module] = PAGES[location.pathname] ?? PAGES['/'];
  document.title = `${title} · Sidetone`;
  for (const link of document.querySelectorAll('nav a')) {
    const isHere = link.pathname === location.pathname || link.pathname === '/calls' && ['/call', '/compare'].includes(location.pathname);
    link.ariaCurrent = isHere ? 'page' : null;
  }
  main.ariaBusy = 'true';
  const query = Object.fromEntries(new URLSearchParams(location.search));
  let content;
  try {
    const { showPage } = await import(module).catch(away);
    // What is behind the times neither shows nor tells anything.
    content = await showPage({ query, signal, open, reload, say: text => signal.aborted || say(text) });
  } catch (error) {
    content = [html('h1', title), html('p', { class: 'failure', role: 'alert' }, error.message)];
    if (error.status >= 429) content.push(button(reload, 'Try again'));
    // The token is one of this server, but not for this.
    if (error.status === 403) content.push(button(forgetToken, 'Use another token'));
  }
  if (signal.aborted) return;
  const focused = document.activeElement, isGone = main.contains(focused);
  main.replaceChildren(...content);
  // A field that asked for the list stays the one that is written in.
  if (isGone) (main.querySelector(`[name="${focused.name}"]`) ?? main).focus({ preventScroll: true });
  main.ariaBusy = 'false';
  performance.mark('shown');
}

function forgetToken() {
  sessionStorage.removeItem('token');
  reload();
}

addEventListener('popstate', reload);
addEventListener('click', event => {
  const link = event.target.closest('a[href]');
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || link.download) return;
  const target = new URL(link.getAttribute('href'), location);
  if (target.origin !== location.origin || !PAGES[target.pathname] || target.hash) return;
  event.preventDefault();
  open(target.pathname + target.search);
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
});

addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input,select,textarea,dialog')) return;
  if (isGoing) {
    isGoing = false;
    const path = { f: '/', c: '/calls', l: '/live', h: '/health' }[event.key];
    if (path) open(path);
    return;
  }
  const rows = [...document.querySelectorAll('tr[data-call]')], here = rows.findIndex(row => row.contains(document.activeElement));
  const move = step => rows[Math.min(rows.length - 1, Math.max(0, here + step))]?.querySelector('a').focus();
  const action = {
    g: () => { isGoing = true; setTimeout(() => isGoing = false, 1500); },
    j: () => move(1), k: () => move(-1), '?': showKeys,
    '/': async () => {
      if (location.pathname !== '/calls') open('/calls');
      await showing;
      document.querySelector('#q')?.focus();
    },
    x: () => here >= 0 && mark(rows[here]),
    c: () => marked.length === 2 && open(`/compare?${new URLSearchParams(
      marked.flatMap((call, index) => Object.entries(JSON.parse(call)).map(([name, value]) => ['ab'[index] + name, value])))}`),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

/** Marks a call for comparing, or takes the mark away; the last two count. */
function mark(row) {
  const call = row.dataset.call;
  marked = marked.includes(call) ? marked.filter(one => one !== call) : [...marked, call].slice(-2);
  for (const one of document.querySelectorAll('tr[data-call]')) one.classList.toggle('marked', marked.includes(one.dataset.call));
  say(`${marked.length} marked${marked.length === 2 ? ', c compares them' : ''}`);
}

function showKeys() {
  const dialog = html('dialog', { 'aria-label': 'Keys' },
    html('dl', { class: 'facts' }, KEYS.map(([keys, what]) => [html('dt', html('kbd', keys)), html('dd', what)])),
    html('form', { method: 'dialog' }, html('button', 'Close')));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

const theme = document.querySelector('#theme');
theme.value = localStorage.getItem('theme') ?? 'system';
const setTheme = () => { document.documentElement.dataset.theme = theme.value; localStorage.setItem('theme', theme.value); };
theme.addEventListener('change', setTheme);
setTheme();
document.querySelector('#keys').addEventListener('click', showKeys);
reload();
