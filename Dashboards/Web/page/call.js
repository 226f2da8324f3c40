// Call: one record, with what the server alone can give: the other ends, the text report, the raw report, files.

import { callPath, readJSON, readText } from './api.js';
import { unfolded } from './chart.js';
import { html } from './elements.js';
import { recordView } from './record.js';
import { compareAddress, readRecord, recordAddress } from './records.js';
import { scoreBadge } from './words.js';

export async function showPage({ query, open, signal }) {
  const { records, which, data } = await readRecord(query), { summary } = data, path = rest => callPath(summary.callId, rest);
  const rawReport = async time => {
    const report = await readJSON(path('/facts'), { ...which, at: new Date(time).toISOString() });
    return JSON.stringify(report.records?.[0] ?? report, null, 1);
  };
  const ends = html('nav', { class: 'choices', 'aria-label': 'Ends of the call' }, records.map(record => html('a', {
    href: recordAddress(record), 'aria-current': record === summary && 'true',
  }, record.observer, record.attempt > 1 ? ` (${record.attempt})` : '', ' ', scoreBadge(record.score, true))));
  const other = records.find(record => record !== summary);
  const exports = html('p', { class: 'pager' }, [['json', 'JSON'], ['text', 'Text'], ['html', 'HTML']].map(([format, name]) =>
    html('button', { type: 'button', onclick: () => save(path('/report'), { ...which, format }) }, `Save as ${name}`)),
    other && html('a', { href: compareAddress(summary, other) }, 'Compare the ends'));
  const extras = [
    unfolded('Text report', () => filledLater(html('pre', { tabindex: 0, 'aria-label': 'Text report' }), readText(path('/report'), { ...which, format: 'text' }))),
    unfolded('Where on the path it arose', () => {
      const host = html('div');
      import('./vantage.js').then(({ vantage }) => host.append(vantage(path, which)));
      return host;
    }),
  ];
  const view = recordView(data, { extras, rawReport });
  if (summary.state === 'live') keepCurrent(view, signal, () => open(location.pathname + location.search, true), summary);
  return [html('div', { class: 'title' }, html('h1', { class: 'id' }, summary.callId), ends), exports, view];
}

const NEWS = ['inboundQualityChanged', 'issueRaised', 'issueCleared', 'callEnded', 'reset'];

/** While a call goes on: shows what is new at once, or on request when somebody is at work in the view. */
function keepCurrent(view, signal, reload, summary) {
  const news = html('p', { class: 'quiet', role: 'status' }, 'Going on; new figures are shown as they come.');
  view.prepend(news);
  // What a snapshot says of this record: it may have ended before this page began to follow it.
  const isOver = call => call.observer === summary.observer && call.attempt === summary.attempt && call.state !== 'live';
  const onEvent = (event, data) => {
    if (!NEWS.includes(event) && !data.calls?.some(isOver)) return;
    if (!view.contains(document.activeElement) && !view.querySelector('details[open]')) return reload();
    news.replaceChildren('New figures have come. ', html('button', { type: 'button', onclick: reload }, 'Show them'));
  };
  import('./follow.js').then(({ follow }) => follow(callPath(summary.callId, '/live'), { signal, onEvent, onState: () => {} }));
}

function filledLater(element, text) {
  text.then(text => element.textContent = text, error => element.textContent = error.message);
  return element;
}

/** Hands a report over as a file; by a request of its own, for a link could not send the token. */
async function save(path, query) {
  const text = await readText(path, query);
  const link = html('a', { download: `report.${query.format === 'text' ? 'txt' : query.format}`, href: URL.createObjectURL(new Blob([text])) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
