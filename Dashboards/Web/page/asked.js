// What is loaded when somebody asks: where on the path it arose, and reports as files.

import { readJSON, readText } from './api.js';
import { table } from './chart.js';
import { NONE, html, worded } from './elements.js';

/** What each observer saw of the streams, and between which of them it went wrong. */
export function vantage(path, which) {
  const host = html('div', 'Loading…');
  readJSON(path('/report'), { ...which, format: 'json' }).then(({ records: [report] }) => {
    host.replaceChildren(...report.vantagePoints.flatMap(stream => [
      html('h3', `${stream.direction} ${stream.kind}, ssrc ${stream.source}`),
      ...stream.findings.map(finding => html('p', finding.sentence)),
      table('What each saw', ['Where', 'Packets', 'Lost %', 'Jitter ms'], stream.points.map(point =>
        [`${worded(point.place)} ${point.observer ?? ''}`, point.packets, point.lossPercent?.toFixed(2), point.jitterMilliseconds?.toFixed(1)].map(cell => cell ?? NONE))),
    ]));
    if (!host.children.length) host.textContent = 'Only this end was seen.';
  }, error => host.textContent = error.message);
  return host;
}

/** Hands a report over as a file that is named after the record; by a request of its own, for a link could not send the token. */
export async function save(path, query, { callId, observer, attempt }) {
  const text = await readText(path, query);
  const name = [callId, observer, attempt > 1 && attempt].filter(Boolean).join('-').replace(/[^\p{L}\p{N}-]+/gu, '_').slice(0, 100);
  const link = html('a', { download: `${name}.${query.format === 'text' ? 'txt' : query.format}`, href: URL.createObjectURL(new Blob([text])) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
