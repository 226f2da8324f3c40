// Bars of counts, of points and of spans, lanes over time, and the names of events.

import { drawing, drawnAtWidth, html, roundedUp, scale, stacked, svg } from './elements.js';
import { GUTTER_PIXELS, timeScale } from './ribbon.js';
import { duration } from './words.js';

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

/** Upright bars of counts side by side; each a link. Rows: {name, short, detail, value, address, kind, label}. */
export function histogram(label, rows) {
  return drawnAtWidth(width => {
    const height = 150, bottom = height - 34, slot = width / rows.length;
    const y = scale(0, roundedUp(Math.max(1, ...rows.map(row => row.value))), bottom, 16);
    return svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'group', 'aria-label': label },
      svg('line', { x1: 0, x2: width, y1: bottom, y2: bottom, class: 'hair' }),
      rows.map((row, index) => {
        const middle = slot * (index + 0.5);
        return svg('a', { href: row.address, 'aria-label': row.label, class: 'target' },
          svg('rect', { x: slot * index, width: slot, y: 0, height, class: 'hit' }),
          svg('rect', { x: slot * index + slot * 0.14, width: slot * 0.72, y: y(row.value), height: Math.max(row.value > 0 ? 2 : 0, bottom - y(row.value)), class: `bar ${row.kind ?? ''}` }),
          svg('text', { x: middle, y: y(row.value) - 5, class: 'middle strong' }, String(row.value)),
          svg('text', { x: middle, y: bottom + 14, class: 'middle' }, row.name.length * 7 > slot ? row.short : row.name),
          svg('text', { x: middle, y: bottom + 28, class: 'tick middle' }, row.detail ?? ''));
      }));
  });
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
