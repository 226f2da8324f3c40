// The score over time as bars: height, colour, letter. Held time is grey and flat, missing time a dot, blackouts hatched.

import { drawing, drawnAtWidth, scale, svg } from './elements.js';
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
