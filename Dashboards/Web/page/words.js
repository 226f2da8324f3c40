// How figures, moments and names are written. Times are in the viewer's zone, with UTC on hover.

import { html } from './elements.js';

/** The bands of docs/score.md, best first. */
export const BANDS = [
  { name: 'excellent', from: 90, sign: '●' }, { name: 'good', from: 80, sign: '◐' },
  { name: 'fair', from: 70, sign: '◔' }, { name: 'poor', from: 60, sign: '▲' }, { name: 'bad', from: 0, sign: '✕' },
];

/** What stands for a figure that is not known. */
export const NONE = '–';

export const bandOf = score => score === null || score === undefined ? null : BANDS.find(band => score >= band.from);

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
  if (name === null || name === undefined || name === '') return NONE;
  return NAMES[name] ?? String(name).replace(/([a-z]\d*)([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
}

/** A figure with as many digits as it is worth, and its unit. */
export function figure(value, unit = '') {
  if (!Number.isFinite(value)) return NONE;
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 1 : 2;
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, '$1') + (unit && `\u202f${unit}`);
}

/** A span of time: "480 ms", "1.9 s", "1 min 05 s", "2 h 03 min". */
export function duration(milliseconds) {
  if (milliseconds === null || milliseconds === undefined) return NONE;
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

/** A count with its noun: "1 call", "12 calls". */
export const counted = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

/** A moment in the viewer's zone; UTC stands in its title. */
export function moment(iso, isTimeOnly = false) {
  if (!iso) return html('span', {}, NONE);
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
