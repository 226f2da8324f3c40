// Drawings: bars, points, spans and lanes; the score over time (height, colour, letter; held time grey and flat, missing time a dot,
// blackouts hatched); charts over time: steps, for a row tells of a span; gaps where nothing is known; a cursor that charts share.

import { NONE, bandOf, clock, drawing, drawnAtWidth, duration, figure, html, largest, lengthWithin, roundedUp, scale, scroller, smallest, stacked, svg, timeStepMilliseconds } from './elements.js';

/** Pixels left of the plot, for the numbers of the axis, in every drawing that shares the axis of time. */
const GUTTER_PIXELS = 42;
const MARGIN_PIXELS = 6;

/** Where moments lie in a drawing of this width. */
const timeScale = (span, width) => scale(span.start, span.end, GUTTER_PIXELS, width - MARGIN_PIXELS);

/** A thin line across a drawing. */
export const hair = (x1, x2, y) => svg('line', { x1, x2, y1: y, y2: y, class: 'hair' });

/** The line of an event down a drawing. */
const markLine = (mark, x, y1, y2) => svg('line', { x1: x(mark.time), x2: x(mark.time), y1, y2, class: 'mark' }, svg('title', mark.label));

/** What lasted, as a block that can be seen however short it is. */
export const block = ({ start, end }, x, least, attributes, title) =>
  svg('rect', { x: x(start), width: Math.max(least, x(end) - x(start)), ...attributes }, title && svg('title', title));

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
      hair(GUTTER_PIXELS, width, top(60, height)),
      windows.map(window => {
        const left = x(window.start);
        return bar(window.score, left, Math.max(1, x(window.end) - left - 1), height, window.isHeld);
      }),
      outages.map(outage => block(outage, x, 2, { y: 0, height: height - 4, class: 'outage' }, `blackout ${lengthWithin(outage)}`)));
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
function hatching() {
  return svg('defs', svg('pattern', { id: 'hatch', width: 6, height: 6, patternUnits: 'userSpaceOnUse' },
    svg('path', { d: 'M-1 1L1 -1M0 6L6 0M5 7L7 5', class: 'hatch' })));
}

/** Rows of a name, a bar and a figure; with an address the row is a link. Rows: {name, value, text, address, kind}. */
export function barList(label, rows) {
  const most = Math.max(1e-9, ...rows.map(row => row.value));
  return html('ul', { class: 'bars', 'aria-label': label }, rows.map(row => {
    const bar = svg('svg', { width: '100%', height: 14, 'aria-hidden': 'true' },
      svg('rect', { width: `${100 * row.value / most}%`, height: 14, class: `bar ${row.kind ?? ''}` }));
    const parts = [html('span', { class: 'name' }, row.name), bar, html('b', row.text)];
    return html('li', row.address ? html('a', { href: row.address }, parts) : html('div', parts));
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
        hair(names, width, y + 23.5),
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
      hair(GUTTER_PIXELS, width, index * 30 + 28.5),
      lane.spans.map(one => block(one, x, 3, { y: index * 30 + 16, height: 10, class: `lane ${lane.kind}` }, one.label)),
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
      markLine(mark, x, (mark.row ?? 0) * 15 + 2, height),
      mark.row === undefined ? null
        : svg('text', { x: x(mark.time) + (mark.isLeft ? -3 : 3), y: mark.row * 15 + 12, class: `tick ${mark.isLeft ? 'end' : ''}` }, mark.label),
    ]));
  });
}

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
    html('span', sample(index), ` ${line.name} `, values[index])));
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
  return html('section', { class: 'chart' }, html('h3', title, html('small', ` ${unit}`)), legend, plot, numbers(chart));
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
    shades.map(shade => block(shade, x, 1, { y: 0, height: bottom, class: `shade ${shade.kind}` })),
    ticks.map(value => [
      hair(GUTTER_PIXELS, width - MARGIN_PIXELS, y(value)),
      svg('text', { x: GUTTER_PIXELS - 6, y: y(value) + 4, class: 'tick end' }, figure(value)),
    ]),
    timeTicks(span, origin, width, x, bottom),
    marks.map(mark => markLine(mark, x, 0, bottom)),
    series.map((line, index) => [
      svg('path', { d: envelope(line.rows, x, y), class: `area line${index % 8}` }),
      svg('path', { d: steps(line.rows, x, y), class: `line line${index % 8}` }),
    ]));
}

/** Ticks below a drawing, counted from the origin. */
function timeTicks(span, origin, width, x, bottom) {
  const step = timeStepMilliseconds(span.end - span.start, width / 74);
  const ticks = [];
  for (let offset = Math.ceil((span.start - origin) / step) * step; origin + offset <= span.end; offset += step) {
    const at = x(origin + offset);
    ticks.push(svg('text', { x: at, y: bottom + 14, class: `tick ${at > width - 24 ? 'end' : 'middle'}` }, clock(offset)));
  }
  return ticks;
}

/** A point of a path. */
const at = (time, value, x, y) => `${x(time).toFixed(1)} ${y(value).toFixed(1)}`;

/** Rows one after another hang together; what lies further apart is a gap. */
const areJoined = (before, row) => before && before.high !== null && row.start - before.end < 1500;

function steps(rows, x, y) {
  let path = '', before = null;
  for (const row of rows) {
    if (row.high !== null) {
      path += `${areJoined(before, row) ? 'L' : 'M'}${at(row.start, row.high, x, y)}H${x(row.end).toFixed(1)}`;
    }
    before = row;
  }
  return path;
}

function envelope(rows, x, y) {
  return rows.filter(row => row.high !== null && row.high > row.low).map(row =>
    `M${at(row.start, row.high, x, y)}H${x(row.end).toFixed(1)}L${at(row.end, row.low, x, y)}H${x(row.start).toFixed(1)}Z`).join('');
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
  const details = html('details', html('summary', summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.children.length === 1) details.append(make());
  }, { once: true });
  return details;
}

/** A table; label: what it is, for those who do not see it. */
export function table(label, heads, rows) {
  return scroller(label, html('table',
    html('thead', html('tr', heads.map(head => html('th', { scope: 'col' }, head)))),
    html('tbody', rows.map(([name, ...cells]) => html('tr', html('th', { scope: 'row' }, name), cells.map(cell => html('td', cell)))))));
}
