// Health: how the server does, from its own metrics.

import { readJSON, readText } from './api.js';
import { table } from './chart.js';
import { cards, duration, figure, html, part, worded } from './elements.js';

const EVERY_MILLISECONDS = 5000;

/** The figures at the top, from the sum of a metric and its rate a second; null where there is no such metric. */
const CARDS = (sum, rate) => [
  ...[['Calls going on', 'calls_active'], ['Reports taken', 'ingest_reports_total'], ['Reports a second', 'ingest_reports_total', rate],
    ['Events a second', 'ingest_events_total', rate], ['Refused', 'ingest_rejected_total'], ['Waiting facts', 'ingest_queue_facts'],
    ['Faults of the store', 'store_errors_total'], ['Calls removed by retention', 'retention_deleted_calls_total'],
  ].map(([title, name, of = sum]) => [title, figure(of(`sidetone_${name}`))]),
  ['Database', figure(sum('sidetone_store_bytes', 1e6), 'MB')], ['Memory', figure(sum('process_resident_memory_bytes', 1e6), 'MB')],
  ['Up for', duration(since(sum('process_start_time_seconds')))],
];
const since = seconds => seconds === null ? null : Date.now() - seconds * 1000;

const TABLES = [
  ['Refused, by reason', 'sidetone_ingest_rejected_total'], ['Ended calls, by reason', 'sidetone_calls_finished_total'],
  ['Faults of the store', 'sidetone_store_errors_total'], ['Live subscribers', 'sidetone_live_subscribers'],
];

export async function showPage({ signal }) {
  const host = html('div');
  let before = null;
  const refresh = async () => {
    const ready = await readJSON('/readyz').catch(error => ({ status: error.message }));
    const metrics = await readText('/metrics').then(parsed, error => error);
    if (signal.aborted) return;
    host.replaceChildren(html('p', `Ready: ${ready.status ?? 'yes'}`), ...metrics instanceof Error
      ? [html('p', { class: 'failure' }, metrics.message)] : figures(metrics, before));
    if (!(metrics instanceof Error)) before = { metrics, time: Date.now() };
    setTimeout(refresh, EVERY_MILLISECONDS);
  };
  await refresh();
  return [html('h1', 'Health'), host];
}

/** The lines of the text format of Prometheus: {name, labels, value}. */
function parsed(text) {
  return text.split('\n').map(line => line.match(/^([a-z_]+)(?:\{(.*)\})? (\S+)/)).filter(Boolean)
    .map(([, name, labels, value]) => ({ name, labels: labels ?? '', value: Number(value) }));
}

function figures(metrics, before) {
  const all = name => metrics.filter(one => one.name === name);
  const sum = (name, unit = 1, list = metrics) => {
    const found = list.filter(one => one.name === name);
    return found.length ? found.reduce((total, one) => total + one.value, 0) / unit : null;
  };
  // A server that was started anew counts from 0.
  const rate = name => before && sum(name) !== null
    ? Math.max(0, sum(name) - sum(name, 1, before.metrics)) / (Date.now() - before.time) * 1000 : null;
  const label = one => [...one.labels.matchAll(/"([^"]*)"/g)].map(([, value]) => worded(value)).join(', ') || 'all';
  return [cards(CARDS(sum, rate)),
    ...TABLES.map(([title, name]) => [title, all(name).filter(one => one.value > 0)]).filter(([, rows]) => rows.length).map(([title, rows]) =>
      part(title, table(title, ['', 'Number'], rows.map(one => [label(one), figure(one.value)]))))];
}
