// What every drawing and page is made of: elements, scales and ticks; how figures, moments and names are written. Data becomes
// text and attributes, never markup. Times are in the viewer's zone, with UTC on hover.

/**
 * An HTML element: its name, its attributes where it has any, what is in it. Attributes that begin with "on" are listeners;
 * null and false ones are left out.
 */
export const html = (name, ...content) => filled(document.createElement(name), content);

/** A paragraph beside what matters. */
export const quiet = (...children) => html('p', { class: 'quiet' }, children);

/** A section under a heading; nothing without content. */
export const part = (title, ...content) => content[0] && html('section', html('h2', title), content);

/** A button that does something. */
export const button = (onclick, ...children) => html('button', { type: 'button', onclick }, children);

/** A heading, and beside it what else may be shown: [[address, whether it is what is shown, ...words], …]. */
export const titled = (heading, label, choices) => html('div', { class: 'title' }, heading, html('nav', { class: 'choices', 'aria-label': label },
  choices.map(([href, isShown, ...words]) => html('a', { href, 'aria-current': isShown && 'true' }, words))));

/** Names and figures side by side: [[name, value], …]. */
export const cards = pairs => html('dl', { class: 'cards' }, pairs.map(([name, value]) => html('div', html('dt', name), html('dd', value))));

/** What scrolls by itself where it is wider than the screen. */
export const scroller = (label, content) => html('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, content);

/** An SVG element. */
export const svg = (name, ...content) => filled(document.createElementNS('http://www.w3.org/2000/svg', name), content);

/** Whether nothing is known or given. */
export const isMissing = value => value === null || value === undefined;

function filled(element, content) {
  const attributes = content[0]?.constructor === Object ? content.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (!isMissing(value) && value !== false) element.setAttribute(name, value);
  }
  element.append(...content.flat(9).filter(child => !isMissing(child) && child !== false));
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

/** The bands of docs/score.md, best first. */
export const BANDS = [
  { name: 'excellent', from: 90, sign: '●' }, { name: 'good', from: 80, sign: '◐' },
  { name: 'fair', from: 70, sign: '◔' }, { name: 'poor', from: 60, sign: '▲' }, { name: 'bad', from: 0, sign: '✕' },
];

/** What stands for a figure that is not known. */
export const NONE = '–';

export const bandOf = score => isMissing(score) ? null : BANDS.find(band => score >= band.from);

/** A score with the sign and the word of its band: colour is never alone. */
export function scoreBadge(score, isShort = false) {
  const band = bandOf(score);
  if (!band) return html('span', { class: 'none' }, isShort ? NONE : 'no score');
  return html('span', { class: `score ${band.name}` }, html('span', { 'aria-hidden': 'true' }, band.sign),
    ` ${score}`, html('span', { class: isShort ? 'unseen' : '' }, ` ${band.name}`));
}

const NAMES = {
  loss: 'packet loss', burst: 'losses in runs', late: 'late packets', stretch: 'time-stretching', delay: 'path delay',
  jitterBuffer: 'jitter buffer delay', freeze: 'frozen picture', resolution: 'small picture',
  frameRate: 'low frame rate', blockiness: 'coarse picture', videoLoss: 'video packet loss',
  oneWayAudio: 'sound went one way only', concealment: 'sound made up', cpuLimited: 'limited by the processor',
  bandwidthLimited: 'limited by bandwidth', relayOverTCP: 'media over TCP', iceDisconnected: 'ICE disconnected',
  lateGathering: 'ICE gathering cut off', ipChange: 'address changed', notConnected: 'not connected',
  notAnswered: 'not answered',
};

/** The words for a name of the interface: "packetLoss" is "packet loss". */
export function worded(name) {
  if (isMissing(name) || name === '') return NONE;
  return NAMES[name] ?? String(name).replace(/([a-z]\d*)([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
}

/**
 * How a call stands of whose end nothing is known; empty for others. One that was made long ago and is posted now was
 * heard of just now, too, but does not go on for that.
 */
export const goingOn = ({ state, lastActivity }) => state === 'live' && (Date.now() - Date.parse(lastActivity) < 600_000 ? 'going on' : 'no end told');

/** A figure with as many digits as it is worth, and its unit. */
export function figure(value, unit = '') {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 1 : 2;
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1') + (unit && `\u202f${unit}`);
}

/** A figure of a unit, a time as spans of time are written. */
export const amount = (value, unit) => unit === 's' || unit === 'ms' && value > 1000 ? duration(Number.isFinite(value) ? value * (unit === 's' ? 1000 : 1) : null) : figure(value, unit);

/** A span of time: "480 ms", "1.9 s", "1 min 05 s", "2 h 03 min". */
export function duration(milliseconds) {
  if (isMissing(milliseconds)) return NONE;
  const seconds = Math.round(milliseconds / 1000);
  if (Math.abs(milliseconds) < 1000) return `${Math.round(milliseconds)}\u202fms`;
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)}\u202fs`;
  const two = value => String(value).padStart(2, '0');
  if (seconds < 3600) return `${Math.floor(seconds / 60)}\u202fmin ${two(seconds % 60)}\u202fs`;
  return `${Math.floor(seconds / 3600)}\u202fh ${two(Math.floor(seconds / 60) % 60)}\u202fmin`;
}

/** How long something lasted of which often no more is known than a longer span in which it lies: "1.2 s within 10.0 s". */
export function lengthWithin({ start, end, seconds = (end - start) / 1000 }) {
  return duration(seconds * 1000) + (end - start > seconds * 1000 + 500 ? ` within ${duration(end - start)}` : '');
}

/** Time since a moment, as on a clock: "0:27", "1:02:03". */
export function clock(milliseconds) {
  const seconds = Math.floor(Math.abs(milliseconds) / 1000 + 1e-6);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map(value => String(value).padStart(2, '0'));
  const hours = Math.floor(seconds / 3600);
  if (hours > 0) parts.unshift(String(hours)); else parts[0] = String(Number(parts[0]));
  return (milliseconds < -500 ? '−' : '') + parts.join(':');
}

/** What lists and counts consist of: a call as one of its ends told of it. */
export const RECORD = 'call record';

/** A count with its noun: "1 call", "12 calls". */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A moment in the viewer's zone; UTC stands in its title. */
export function moment(iso, isTimeOnly = false) {
  if (!iso) return html('span', NONE);
  const date = new Date(iso);
  const utc = date.toISOString();
  return html('time', { datetime: utc, title: `${utc.slice(0, 10)} ${utc.slice(11, 23)} UTC` },
    (isTimeOnly ? TIME : DAY).format(date));
}

/** A sentence of the server with its times of day, which are UTC, in the viewer's zone. */
export function sentence(text, start) {
  const day = new Date(start).toISOString().slice(0, 10);
  return text.split(/\b(\d\d:\d\d:\d\d)(?:\.\d+)?\b/).map((part, index) => {
    if (index % 2 === 0) return part;
    const sameDay = Date.parse(`${day}T${part}Z`);
    // What a client wrote may look like one.
    if (Number.isNaN(sameDay)) return part;
    return moment(sameDay < Date.parse(start) - 43_200_000 ? sameDay + 86_400_000 : sameDay, true);
  });
}
