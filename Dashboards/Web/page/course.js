// What a record's drawings show, made from its summary, events and series. Moments become ms since 1970.

import { isMissing, largest, lengthWithin, smallest, worded } from './elements.js';

const ms = iso => iso ? Date.parse(iso) : null;

/** A figure as {low, high}: rows that the server joined carry the least and the most of them. */
const range = value => isMissing(value) ? { low: null, high: null }
  : typeof value === 'number' ? { low: value, high: value } : { low: value.min, high: value.max };

export const spanOf = ({ start, end, seconds }, last) => ({ start: ms(start), end: ms(end) ?? last, seconds });
const spansOf = (all, { end }) => all.map(one => spanOf(one, end));

/** The name of a stream: "in audio", with a number where there are several of a kind. */
export function streamName(stream, streams) {
  const name = one => `${one.direction === 'inbound' ? 'in' : 'out'} ${one.kind}`;
  const alike = streams.filter(one => name(one) === name(stream));
  return name(stream) + (alike.length > 1 ? ` ${alike.findIndex(one => one.ssrc === stream.ssrc && one.connection === stream.connection) + 1}` : '');
}

/** All that is drawn of a record: {span, origin, windows, outages, marks, lanes, shades, charts}. */
export function courseOf({ summary, events, series }) {
  const rows = series.streams.flatMap(stream => stream.intervals);
  const moments = [summary.start, summary.createdAt, summary.endedAt, summary.lastActivity,
    ...rows.flatMap(row => [row.start, row.end])].map(ms).filter(time => time !== null);
  const span = { start: smallest(moments), end: largest(moments) };
  if (span.end - span.start < 1000) span.end = span.start + 1000;
  const outages = spansOf(summary.outages, span);
  const holds = summary.holds.map(hold => ({ ...spanOf(hold, span.end), isPause: hold.isSenderPause === true }));
  return {
    span, outages, origin: ms(summary.createdAt) ?? ms(summary.start),
    windows: series.windows.map(window => ({
      ...spanOf(window, span.end), score: range(window.score).low,
      isHeld: window.heldSeconds * 2000 > ms(window.end) - ms(window.start),
    })),
    marks: events.slice(0, 200).map(event => ({ time: ms(event.time), label: event.type || event.action })),
    lanes: lanes(summary, span, outages, holds),
    shades: [...outages.map(one => ({ ...one, kind: 'outage' })), ...holds.map(one => ({ ...one, kind: 'held' }))],
    charts: charts(series.streams, outages),
  };
}

function lanes(summary, span, outages, holds) {
  const named = (name, kind, spans) => ({
    name, kind, spans: spans.map(one => ({ ...one, label: `${one.label ?? name} ${lengthWithin(one)}` })),
  });
  const kinds = [...new Set(summary.course.lanes.map(lane => lane.kind))];
  return [
    named('no sound', 'outage', outages), named('on hold', 'held', holds.filter(hold => !hold.isPause)),
    named('sender paused', 'held', holds.filter(hold => hold.isPause)),
    ...kinds.map(kind => named(worded(kind), 'held', summary.course.lanes.filter(lane => lane.kind === kind)
      .map(lane => ({ ...spanOf(lane, span.end), label: lane.value ?? undefined })))),
    named('ICE disconnected', 'warning', spansOf(summary.iceDisconnects, span)),
    named('address changed', 'warning', spansOf(summary.ipChanges, span)),
    named('no reports', 'missing', spansOf(summary.dataQuality.gaps, span)),
  ].filter(lane => lane.spans.length > 0);
}

const isIn = stream => stream.direction === 'inbound', isAudio = stream => stream.kind === 'audio';

/** The stream of sound that this end heard. */
export const soundHeard = ({ streams }) => streams.find(stream => isIn(stream) && isAudio(stream)) ?? {};

/** Title, unit, the least top of the axis, and the figures by stream. */
const CHARTS = [
  ['Sound made up or stretched', '%', 5, stream => isIn(stream) && isAudio(stream), ['concealedPercent', 'stretchedPercent']],
  ['Packet loss', '%', 5, () => true, ['lossPercent']],
  ['Jitter of sound, and round trip', 'ms', 20, isAudio, ['jitterMilliseconds', 'roundTripMilliseconds']],
  ['Jitter buffer', 'ms', 50, isIn, ['jitterBufferMilliseconds']],
  ['Bit rate', 'kbit/s', 50, () => true, ['bitrateKilobitsPerSecond', 'targetKilobitsPerSecond']],
  ['Frames a second', '', 15, stream => !isAudio(stream), ['framesPerSecond']],
  ['Frozen picture', 's', 1, stream => isIn(stream) && !isAudio(stream), ['frozenSeconds']],
  ['Picture height', 'px', 240, stream => !isAudio(stream), ['frameHeightPixels']],
  ['Level of sound', 'dB', 0, isAudio, ['audioLevelDecibels']],
];

const FIGURES = {
  concealedPercent: 'made up', stretchedPercent: 'stretched', jitterMilliseconds: 'jitter',
  roundTripMilliseconds: 'round trip', targetKilobitsPerSecond: 'target',
};

function charts(streams, outages) {
  return CHARTS.map(([title, unit, atLeast, isShown, members]) => ({
    title, unit, atLeast,
    series: members.flatMap(member => streams.filter(one => isShown(one) && (member !== 'roundTripMilliseconds' || isIn(one))).map(stream => ({
      member, name: [streamName(stream, streams), FIGURES[member]].filter(Boolean).join(' '),
      rows: member === 'concealedPercent' ? placed(rowsOf(stream, member), outages) : rowsOf(stream, member),
    }))).filter(line => line.rows.some(row => row.high !== null)),
  })).filter(chart => chart.series.length > 0);
}

const rowsOf = (stream, member) =>
  stream.intervals.map(row => ({ start: ms(row.start), end: ms(row.end), ...range(row[member]) }));

/**
 * Made-up sound where it was. A report tells how much of its span was made up; where a blackout is known to lie within,
 * and explains four fifths of itself, it was made up there, and only the rest elsewhere.
 */
function placed(rows, outages) {
  return rows.flatMap(row => {
    const dark = outages.filter(outage => outage.start < row.end && outage.end > row.start)
      .map(outage => ({ start: Math.max(outage.start, row.start), end: Math.min(outage.end, row.end) }));
    const inDark = dark.reduce((sum, one) => sum + one.end - one.start, 0), length = row.end - row.start;
    const madeUp = row.high / 100 * length;
    if (inDark === 0 || row.high === null || row.low !== row.high || madeUp < inDark * 0.8) return [row];
    const rest = length > inDark ? 100 * Math.max(0, madeUp - inDark) / (length - inDark) : 0;
    const pieces = [];
    let start = row.start;
    for (const one of dark) {
      if (one.start > start) pieces.push({ start, end: one.start, low: rest, high: rest });
      pieces.push({ ...one, low: 100, high: 100 });
      start = one.end;
    }
    if (row.end > start) pieces.push({ start, end: row.end, low: rest, high: rest });
    return pieces;
  });
}

/** How long media took from the answer on, in ms, as lists have it: 0 where the path stood before. */
export function answerToMedia(setup) {
  const media = setup.mediaSetupMilliseconds ?? setup.connectTimeMilliseconds;
  return media && Math.max(0, media);
}

/** The parts of setting up, for spanBars; L1 to L8 of docs/setup-latencies.md. */
export function setupSpans(setup) {
  const of = name => setup[name + 'Milliseconds'];
  const sent = of('restSentDelay'), rang = of('postDialDelay'), rung = of('ringTime'), answered = of('answerDelay');
  return [
    ['request sent', 0, sent], ['until it rang', sent ?? 0, rang],
    ['ringing', rang, rung === null ? null : rang + rung],
    ['answered', rang === null ? 0 : null, answered], ['ICE gathering', 0, of('iceGatheringUpperBound')],
    ['answer to ICE', answered, of('iceConnectTime')], ['first media by', 0, of('firstMediaBy')],
  ].filter(part => !part.includes(null)).map(([name, start, end]) => ({ name, start, end }));
}

/**
 * What is told of a stream over the whole call: name, member, unit; of what only a probe measures, by what to
 * multiply it.
 */
export const STREAM_FIGURES = [
  ['packets', 'packets'], ['lost', 'lossPercent', '%'], ['lost in bursts', 'burstDensity', '%', 100], ['lost in gaps', 'gapDensity', '%', 100],
  ['mean burst', 'burstDuration', 's'], ['longest loss run', 'longestLossRun'], ['outages', 'outageSeconds', 's'],
  ['late packets', 'packetsDiscarded'], ['late, 60 ms buffer', 'packetsLateFor60Milliseconds'], ['late, 200 ms buffer', 'packetsLateFor200Milliseconds'],
  ['bit rate', 'bitrateKilobitsPerSecond', 'kbit/s'], ['jitter', 'jitterMilliseconds', 'ms'], ['jitter, most', 'maximumJitterMilliseconds', 'ms'],
  ['delay variation, p95', 'delayVariation95', 'ms', 1000], ['round trip', 'roundTripMilliseconds', 'ms'],
  ['jitter buffer', 'jitterBufferMilliseconds', 'ms'],
  ['made up', 'concealedPercent', '%'], ['stretched', 'stretchedPercent', '%'],
  ['lost, by receiver', 'receiverPacketsLost'], ['jitter, by receiver', 'receiverJitter', 'ms', 1000],
  ['MOS-LQ, by receiver', 'receiverListeningMOS'], ['MOS-CQ, by receiver', 'receiverConversationalMOS'], ['frames a second', 'framesPerSecond'],
];

/** Such a figure of a stream; NaN where it is not known. */
export const streamValue = (stream, [, member, , factor = 1]) => (stream[member] ?? stream.wire?.figures[member]) * factor;
