// Elements, scales and ticks: what every drawing and page is made of. Data becomes text and attributes, never markup.

/** An HTML element. Attributes that begin with "on" are listeners; null and false ones are left out. */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** A paragraph beside what matters. */
export const quiet = (...children) => html('p', { class: 'quiet' }, children);

/** A section under a heading; nothing without content. */
export const part = (title, ...content) => content[0] && html('section', {}, html('h2', {}, title), content);

/** Names and figures side by side: [[name, value], …]. */
export const cards = pairs => html('dl', { class: 'cards' }, pairs.map(([name, value]) => html('div', {}, html('dt', {}, name), html('dd', {}, value))));

/** What scrolls by itself where it is wider than the screen. */
export const scroller = (label, content) => html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, content);

/** An SVG element. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(9).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** A whole drawing: an image with a sentence for those who do not see it. */
export function drawing(width, height, label, ...children) {
  return svg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, ...children);
}

/** A place for a drawing, drawn for the width that it has, and anew when that changes: text keeps its size. */
export function drawnAtWidth(draw) {
  const host = html('div', { class: 'drawing' });
  let widthPixels = 0;
  new ResizeObserver(() => {
    const now = host.clientWidth;
    if (now === widthPixels || now === 0) return;
    widthPixels = now;
    host.replaceChildren(draw(now));
  }).observe(host);
  return host;
}

/** Maps from…to onto low…high. */
export function scale(from, to, low, high) {
  const factor = to > from ? (high - low) / (to - from) : 0;
  return value => low + (value - from) * factor;
}

/** The largest of values and a bound; spread over arguments, the many rows of many streams would be more than a call takes. */
export const largest = (values, bound = -Infinity) => values.reduce((a, b) => Math.max(a, b), bound);

/** The smallest of values and a bound. */
export const smallest = (values, bound = Infinity) => values.reduce((a, b) => Math.min(a, b), bound);

/** The least round number that is not below value; its half is round, too. */
export function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 2, 3, 4, 6, 8, 10].find(step => step * power >= value * 0.999999);
}

const TIME_STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200, 86400];

/** Distance of ticks on an axis of time, so that at most so many fit. */
export function timeStepMilliseconds(spanMilliseconds, atMost) {
  const least = spanMilliseconds / 1000 / Math.max(1, atMost);
  return 1000 * (TIME_STEPS_SECONDS.find(step => step >= least) ?? Math.ceil(least / 86400) * 86400);
}

/** Sets each item, which takes from start to end pixels, into the first row where it does not touch another. */
export function stacked(items, rows) {
  const ends = [];
  return items.map(item => {
    const row = Array.from({ length: rows }, (_, index) => index).find(index => (ends[index] ?? -1e9) < item.start);
    if (row !== undefined) ends[row] = item.end;
    return { ...item, row };
  });
}
