// Bars: the score over time (height, colour, letter; held time grey and flat, missing time a dot, blackouts hatched), points, spans
// and lanes; and the names of events.

import { drawing, drawnAtWidth, html, scale, stacked, svg } from './elements.js';
import { bandOf, clock, duration, lengthWithin } from './words.js';

/** Pixels left of the plot, for the numbers of the axis, in every drawing that shares the axis of time. */
export const GUTTER_PIXELS = 42;
export const MARGIN_PIXELS = 6;

/** Where moments lie in a drawing of this width. */
export const timeScale = (span, width) => scale(span.start, span.end, GUTTER_PIXELS, width - MARGIN_PIXELS);

/** A small ribbon of scores at equal distances, null for none: for tables. */
export function smallRibbon(scores, width = 120, height = 18) {
  const known = scores.filter(score => score !== null);
  const label = known.length ? `lowest ${Math.min(...known)}, last ${known.at(-1)}` : 'no score';
  const step = width / Math.max(1, scores.length);
  return drawing(width, height, label, scores.map((score, index) =>
    bar(score, index * step, Math.max(1, step - (step > 4 ? 1 : 0)), height)));
}

/**
 * The ribbon of a call.
 * - span: {start, end} in ms since 1970
 * - windows: {start, end, score or null, isHeld}
 * - outages: {start, end, seconds} of blackouts
 */
export function scoreRibbon({ span, windows, outages }) {
  const known = windows.map(window => window.score).filter(score => score !== null);
  const label = `Score over ${duration(span.end - span.start)}: ` +
    (known.length ? `from ${Math.min(...known)} to ${Math.max(...known)}` : 'none') +
    outages.map(outage => `; blackout at ${clock(outage.start - span.start)} for ${lengthWithin(outage)}`).join('');
  return drawnAtWidth(width => {
    const x = timeScale(span, width);
    const height = 72;
    return drawing(width, height, label, hatching(),
      [0, 60, 100].map(score => svg('text', { x: GUTTER_PIXELS - 6, y: top(score, height) + 4, class: 'tick end' }, String(score))),
      svg('line', { x1: GUTTER_PIXELS, x2: width, y1: top(60, height), y2: top(60, height), class: 'hair' }),
      windows.map(window => {
        const left = x(window.start);
        return bar(window.score, left, Math.max(1, x(window.end) - left - 1), height, window.isHeld);
      }),
      outages.map(outage => svg('rect', {
        x: x(outage.start), width: Math.max(2, x(outage.end) - x(outage.start)), y: 0, height: height - 4, class: 'outage',
      }, svg('title', {}, `blackout ${lengthWithin(outage)}`))));
  });
}

const top = (score, height) => 4 + (height - 8) * (1 - score / 100);

function bar(score, x, width, height, isHeld = false) {
  if (isHeld) return svg('rect', { x, width, y: height - 8, height: 4, class: 'held' });
  if (score === null) return svg('rect', { x: x + width / 2 - 1, width: 2, y: height - 6, height: 2, class: 'held' });
  const band = bandOf(score);
  const y = Math.min(top(score, height), height - 8);
  const rectangle = svg('rect', { x, width, y, height: height - 4 - y, class: `bar ${band.name}` });
  if (height < 40 || width < 14) return rectangle;
  return [rectangle, svg('text', { x: x + width / 2, y: height - 8, class: 'letter middle' }, band.name[0].toUpperCase())];
}

/** The pattern of blackouts, once a drawing. */
export function hatching() {
  return svg('defs', {}, svg('pattern', { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    svg('path', { d: 'M-1 1L1 -1M0 6L6 0M5 7L7 5', class: 'hatch' })));
}

/** Rows of a name, a bar and a figure; with an address the row is a link. Rows: {name, value, text, address, kind}. */
export function barList(label, rows) {
  const most = Math.max(1e-9, ...rows.map(row => row.value));
  return html('ul', { class: 'bars', 'aria-label': label }, rows.map(row => {
    const bar = svg('svg', { width: '100%', height: 14, 'aria-hidden': 'true' },
      svg('rect', { width: `${100 * row.value / most}%`, height: 14, class: `bar ${row.kind ?? ''}` }));
    const parts = [html('span', { class: 'name' }, row.name), bar, html('b', {}, row.text)];
    return html('li', {}, row.address ? html('a', { href: row.address }, parts) : html('div', {}, parts));
  }));
}

/** What happened one after another: a bar from start to end for each. Rows: {name, start, end} in ms since callCreate. */
export function spanBars(label, rows) {
  const end = Math.max(1, ...rows.map(row => row.end));
  const sentence = `${label}: ${rows.map(row => `${row.name} ${duration(row.end - row.start)}, until ${duration(row.end)}`).join('; ')}`;
  return drawnAtWidth(width => {
    const names = Math.min(170, width * 0.4), x = scale(0, end, names, width - 64);
    return drawing(width, rows.length * 24 + 2, sentence, rows.map((row, index) => {
      const y = index * 24, left = x(Math.min(row.start, row.end)), right = Math.max(x(row.end), left + 2);
      return [
        svg('text', { x: 0, y: y + 16 }, row.name),
        svg('line', { x1: names, x2: width, y1: y + 23.5, y2: y + 23.5, class: 'hair' }),
        svg('rect', { x: left, width: right - left, y: y + 5, height: 14, class: 'bar plain' }),
        svg('text', { x: right + 5, y: y + 16, class: 'strong' }, duration(row.end - row.start)),
      ];
    }));
  });
}

/** Spans of hold, mute, blackout … in a lane each, on the axis of the charts. Lanes: {name, kind, spans: [{start, end, label}]}. */
export function laneChart(span, lanes) {
  const sentence = lanes.map(lane => `${lane.name}: ${lane.spans.map(one => one.label).join(', ')}`).join('; ');
  return drawnAtWidth(width => {
    const x = timeScale(span, width);
    return drawing(width, lanes.length * 30, sentence, lanes.map((lane, index) => [
      svg('text', { x: GUTTER_PIXELS, y: index * 30 + 12, class: 'tick' }, lane.name),
      svg('line', { x1: GUTTER_PIXELS, x2: width, y1: index * 30 + 28.5, y2: index * 30 + 28.5, class: 'hair' }),
      lane.spans.map(one => svg('rect', {
        x: x(one.start), width: Math.max(3, x(one.end) - x(one.start)), y: index * 30 + 16, height: 10, class: `lane ${lane.kind}`,
      }, svg('title', {}, one.label))),
    ]));
  });
}

const ROWS = 7;

/** The names of events over the charts, in several rows where they are close. Marks: {time, label}. */
export function markNames(span, marks) {
  return drawnAtWidth(width => {
    const x = timeScale(span, width);
    const placed = stacked(marks.map(mark => {
      const isLeft = x(mark.time) + mark.label.length * 6.4 > width, length = mark.label.length * 6.4 + 8;
      return { ...mark, isLeft, start: x(mark.time) - (isLeft ? length : 0), end: x(mark.time) + (isLeft ? 0 : length) };
    }), ROWS);
    const rows = Math.max(1, ...placed.map(mark => (mark.row ?? 0) + 1)), height = rows * 15 + 6;
    return drawing(width, height, `Events: ${marks.map(mark => mark.label).join(', ')}`, placed.map(mark => [
      svg('line', { x1: x(mark.time), x2: x(mark.time), y1: (mark.row ?? 0) * 15 + 2, y2: height, class: 'mark' },
        svg('title', {}, mark.label)),
      mark.row === undefined ? null
        : svg('text', { x: x(mark.time) + (mark.isLeft ? -3 : 3), y: mark.row * 15 + 12, class: `tick ${mark.isLeft ? 'end' : ''}` }, mark.label),
    ]));
  });
}
