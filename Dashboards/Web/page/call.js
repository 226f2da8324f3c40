// Call: one record, with what the server alone can give: the other ends, the text report, the raw report, files.

import { away, callPath, compareAddress, readJSON, readRecord, readText, recordAddress } from './api.js';
import { unfolded } from './chart.js';
import { button, goingOn, html, scoreBadge, titled } from './elements.js';
import { recordView } from './record.js';

export async function showPage({ query, reload, signal }) {
  const { records, which, data } = await readRecord(query), { summary } = data, path = rest => callPath(summary.callId, rest);
  const rawReport = async time => {
    const report = await readJSON(path('/facts'), { ...which, at: new Date(time).toISOString() });
    return JSON.stringify(report.records?.[0] ?? report, null, 1);
  };
  const other = records.find(record => record !== summary);
  const failure = html('span');
  const asked = use => import('./asked.js').catch(away).then(use);
  const saveAs = format => asked(({ save }) => save(path('/report'), { ...which, format }, summary))
    .then(() => failure.replaceChildren(), error => failure.replaceChildren(html('span', { class: 'failure', role: 'alert' }, error.message)));
  const exports = html('p', { class: 'pager' }, ['JSON', 'Text', 'HTML'].map(name => button(() => saveAs(name.toLowerCase()), `Save as ${name}`)),
    other && html('a', { href: compareAddress(summary, other) }, 'Compare the ends'), failure);
  const extras = [
    unfolded('Text report', () => filledLater(html('pre', { tabindex: 0, 'aria-label': 'Text report' }), readText(path('/report'), { ...which, format: 'text' }))),
    unfolded('Where on the path it arose', () => {
      const host = html('div');
      asked(({ vantage }) => host.append(vantage(path, which))).catch(error => host.textContent = error.message);
      return host;
    }),
  ];
  const view = recordView(data, { extras, rawReport });
  if (summary.state === 'live') keepCurrent(view, signal, reload, summary);
  return [titled(html('h1', { class: 'id' }, summary.callId), 'Ends of the call', records.map(record =>
    [recordAddress(record), record === summary, record.observer, record.attempt > 1 && ` (${record.attempt})`, ' ', scoreBadge(record.score, true)])), exports, view];
}

const NEWS = ['inboundQualityChanged', 'issueRaised', 'issueCleared', 'callEnded', 'reset'];

/** While a call goes on: shows what is new at once, or on request when somebody is at work in the view. */
function keepCurrent(view, signal, reload, summary) {
  const news = html('p', { class: 'quiet', role: 'status' }, `${goingOn(summary)}; new figures are shown as they come.`);
  view.prepend(news);
  // What a snapshot says of this record: it may have ended before this page began to follow it.
  const isOver = call => call.observer === summary.observer && call.attempt === summary.attempt && call.state !== 'live';
  const onEvent = (event, data) => {
    if (!NEWS.includes(event) && !data.calls?.some(isOver)) return;
    if (!view.contains(document.activeElement) && !view.querySelector('details[open]')) return reload();
    news.replaceChildren('New figures have come. ', button(reload, 'Show them'));
  };
  import('./follow.js').then(({ follow }) => follow(callPath(summary.callId, '/live'), { signal, onEvent, onState: () => {} }));
}

function filledLater(element, text) {
  text.then(text => element.textContent = text, error => element.textContent = error.message);
  return element;
}
