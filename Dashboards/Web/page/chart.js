// A chart over time: steps, for a row tells of a span; gaps where nothing is known; a cursor shared with other charts.

import { GUTTER_PIXELS, MARGIN_PIXELS, hatching, timeScale } from './bars.js';
import { drawing, drawnAtWidth, html, largest, roundedUp, scroller, smallest, svg, timeStepMilliseconds } from './elements.js';
import { NONE, clock, figure } from './words.js';

/** A moment that drawings share. */
export class Cursor {
  #listeners = [];
  time = null;

  /** Calls back with each new moment. */
  follow(listener) { this.#listeners.push(listener); }

  set(time) {
    this.time = time;
    for (const listener of this.#listeners) listener(time);
  }
}

/** The row that tells of a moment; null in a gap. */
export function rowAt(rows, time) {
  let low = 0, high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (rows[middle].end <= time) low = middle + 1;
    else if (rows[middle].start > time) high = middle - 1;
    else return rows[middle];
  }
  const last = rows.at(-1);
  return last && time === last.end ? last : null;
}

/** The value of a row in words: one figure, or the least and the most of several joined rows. */
export const valueText = (row, unit) => !row || row.high === null ? NONE
  : row.low === row.high ? figure(row.high, unit) : `${figure(row.low)}…${figure(row.high, unit)}`;

/**
 * A chart with title, legend, drawing and its numbers as a table on request.
 * - title, unit
 * - span: {start, end}; origin: the moment that times are counted from; all in ms since 1970
 * - series: {name, rows: [{start, end, low, high}]}, null for what is not known
 * - marks: {time, label} of events; shades: {start, end, kind} behind the lines
 * - cursor: shared by the charts of a page
 */
export function timeChart(chart) {
  const { title, unit, series, cursor } = chart;
  const rows = series.flatMap(line => line.rows);
  const top = largest(rows.map(row => row.high ?? 0), 0), least = smallest(rows.map(row => row.low ?? 0), 0);
  const bounds = { low: least < 0 ? Math.max(-100, -roundedUp(-least)) : 0, high: least < 0 ? 0 : roundedUp(Math.max(top, chart.atLeast || 1)) };
  const values = series.map(() => html('b', { class: 'value' }, NONE));
  const legend = html('div', { class: 'legend' }, series.map((line, index) =>
    html('span', {}, sample(index), ` ${line.name} `, values[index])));
  let line = null, x = null;
  const place = time => {
    series.forEach((one, index) => values[index].textContent = time === null ? NONE : valueText(rowAt(one.rows, time), unit));
    if (!line) return;
    line.setAttribute('visibility', time === null ? 'hidden' : 'visible');
    if (time !== null) line.setAttribute('transform', `translate(${x(time)})`);
  };
  const plot = drawnAtWidth(width => {
    x = timeScale(chart.span, width);
    const image = plotted(chart, bounds, width, x);
    line = svg('line', { y1: 0, y2: HEIGHT - AXIS, class: 'cursor' });
    image.append(line);
    place(cursor.time);
    return image;
  });
  plot.addEventListener('pointermove', event => follow(event));
  plot.addEventListener('pointerdown', event => follow(event));
  function follow(event) {
    const box = plot.getBoundingClientRect();
    cursor.set(pointedTime(event.clientX - box.left, box.width, chart.span));
  }
  cursor.follow(place);
  return html('section', { class: 'chart' }, html('h3', {}, title, html('small', {}, ` ${unit}`)), legend, plot, numbers(chart));
}

/** The moment under a point of a drawing. */
export function pointedTime(pixels, width, span) {
  const share = (pixels - GUTTER_PIXELS) / (width - GUTTER_PIXELS - MARGIN_PIXELS);
  return span.start + Math.min(1, Math.max(0, share)) * (span.end - span.start);
}

const HEIGHT = 132, AXIS = 18;

function plotted({ title, unit, span, origin, series, marks, shades }, bounds, width, x) {
  const bottom = HEIGHT - AXIS;
  const y = value => bottom - (bottom - 8) * (Math.max(value, bounds.low) - bounds.low) / (bounds.high - bounds.low || 1);
  const ticks = bounds.low < 0 ? [bounds.low, bounds.low / 2, 0] : [0, bounds.high / 2, bounds.high];
  const most = series.map(line => {
    const known = line.rows.filter(row => row.high !== null);
    if (!known.length) return `${line.name} not known`;
    return `${line.name} ${figure(smallest(known.map(row => row.low)))} to ${figure(largest(known.map(row => row.high)), unit)}`;
  });
  return drawing(width, HEIGHT, `${title}: ${most.join(', ')}`, hatching(),
    shades.map(shade => svg('rect', {
      x: x(shade.start), width: Math.max(1, x(shade.end) - x(shade.start)), y: 0, height: bottom, class: `shade ${shade.kind}`,
    })),
    ticks.map(value => [
      svg('line', { x1: GUTTER_PIXELS, x2: width - MARGIN_PIXELS, y1: y(value), y2: y(value), class: 'hair' }),
      svg('text', { x: GUTTER_PIXELS - 6, y: y(value) + 4, class: 'tick end' }, figure(value)),
    ]),
    timeTicks(span, origin, width, x, bottom),
    marks.map(mark => svg('line', { x1: x(mark.time), x2: x(mark.time), y1: 0, y2: bottom, class: 'mark' },
      svg('title', {}, mark.label))),
    series.map((line, index) => [
      svg('path', { d: envelope(line.rows, x, y), class: `area line${index % 8}` }),
      svg('path', { d: steps(line.rows, x, y), class: `line line${index % 8}` }),
    ]));
}

/** Ticks below a drawing, counted from the origin. */
export function timeTicks(span, origin, width, x, bottom) {
  const step = timeStepMilliseconds(span.end - span.start, width / 74);
  const ticks = [];
  for (let offset = Math.ceil((span.start - origin) / step) * step; origin + offset <= span.end; offset += step) {
    const at = x(origin + offset);
    ticks.push(svg('text', { x: at, y: bottom + 14, class: `tick ${at > width - 24 ? 'end' : 'middle'}` }, clock(offset)));
  }
  return ticks;
}

/** Rows one after another hang together; what lies further apart is a gap. */
const areJoined = (before, row) => before && before.high !== null && row.start - before.end < 1500;

function steps(rows, x, y) {
  let path = '', before = null;
  for (const row of rows) {
    if (row.high !== null) {
      path += `${areJoined(before, row) ? 'L' : 'M'}${x(row.start).toFixed(1)} ${y(row.high).toFixed(1)}H${x(row.end).toFixed(1)}`;
    }
    before = row;
  }
  return path;
}

function envelope(rows, x, y) {
  return rows.filter(row => row.high !== null && row.high > row.low).map(row =>
    `M${x(row.start).toFixed(1)} ${y(row.high).toFixed(1)}H${x(row.end).toFixed(1)}V${y(row.low).toFixed(1)}H${x(row.start).toFixed(1)}Z`).join('');
}

/** A piece of the line in the legend, with its dashes. */
function sample(index) {
  return svg('svg', { width: 24, height: 8, 'aria-hidden': 'true' }, svg('path', { d: 'M0 4H24', class: `line line${index % 8}` }));
}

function numbers({ title, unit, origin, series }) {
  const times = () => [...new Set(series.flatMap(line => line.rows.map(row => row.start)))].sort((a, b) => a - b);
  return unfolded(['Numbers', html('span', { class: 'unseen' }, ` of ${title}`)], () => table(`${title}, ${unit}`, ['from', ...series.map(line => line.name)],
    times().map(time => [clock(time - origin), ...series.map(line => valueText(rowAt(line.rows, time), unit))])));
}

/** Something that is made when it is first asked for. */
export function unfolded(summary, make) {
  const details = html('details', {}, html('summary', {}, summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(make());
  }, { once: true });
  return details;
}

/** A table; label: what it is, for those who do not see it. */
export function table(label, heads, rows) {
  return scroller(label, html('table', {},
    html('thead', {}, html('tr', {}, heads.map(head => html('th', { scope: 'col' }, head)))),
    html('tbody', {}, rows.map(row => html('tr', {}, row.map((cell, index) =>
      index === 0 ? html('th', { scope: 'row' }, cell) : html('td', {}, cell)))))));
}
