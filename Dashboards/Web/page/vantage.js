// Where on the path it arose: loaded when somebody asks.

import { readJSON } from './api.js';
import { table } from './chart.js';
import { html } from './elements.js';
import { NONE, worded } from './words.js';

/** What each observer saw of the streams, and between which of them it went wrong. */
export function vantage(path, which) {
  const host = html('div', {}, 'Loading…');
  readJSON(path('/report'), { ...which, format: 'json' }).then(({ records: [report] }) => {
    host.replaceChildren(...report.vantagePoints.flatMap(stream => [
      html('h3', {}, `${stream.direction} ${stream.kind}, ssrc ${stream.source}`),
      ...stream.findings.map(finding => html('p', {}, finding.sentence)),
      table('What each saw', ['Where', 'Packets', 'Lost %', 'Jitter ms'], stream.points.map(point =>
        [`${worded(point.place)} ${point.observer ?? ''}`, point.packets, point.lossPercent?.toFixed(2), point.jitterMilliseconds?.toFixed(1)].map(cell => cell ?? NONE))),
    ]));
    if (!host.children.length) host.textContent = 'Only this end was seen.';
  }, error => host.textContent = error.message);
  return host;
}
