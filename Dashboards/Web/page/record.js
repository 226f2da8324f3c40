// One record of a call: verdict, ribbon, charts with a shared cursor, and tables. The same in the page and the HTML report.

import { Cursor, barList, laneChart, markNames, pointedTime, rowAt, scoreRibbon, spanBars, table, timeChart, unfolded, valueText } from './chart.js';
import { STREAM_FIGURES, answerToMedia, courseOf, setupSpans, soundHeard, spanOf, streamName, streamValue } from './course.js';
import { NONE, amount, bandOf, cards, clock, counted, duration, figure, goingOn, html, isMissing, moment, part, quiet, scoreBadge, sentence, worded } from './elements.js';

/**
 * The view of a record.
 * - data: {summary, events, series} as the interface gives them
 * - extras: elements after the events; rawReport(time): a promise of text, null where there is none
 */
export function recordView(data, { extras = [], rawReport = null } = {}) {
  const { summary, events } = data, course = courseOf(data), cursor = new Cursor();
  const go = time => cursor.set(Math.min(course.span.end, Math.max(course.span.start, time)));
  const view = html('div', { class: 'record' },
    heading(summary), cards(figures(summary)),
    timeline(course, cursor, go),
    events.length > course.marks.length && quiet(`The first ${course.marks.length} of ${counted(events.length, 'event')} are marked.`),
    html('div', { class: 'charts' }, course.charts.map(chart => timeChart({ ...course, ...chart, cursor }))),
    course.charts.length ? null : quiet(summary.streams.length ? 'What is drawn lies between two reports of a stream.' : 'No statistics came from this end, so there is nothing to draw.'),
    part('Issues', issues(summary, course, go)),
    html('div', { class: 'columns' }, part('Points lost', pointsLost(summary)), part('Setup', setupBars(summary))),
    part('Streams', streams(summary)),
    html('div', { class: 'columns' }, part('Score rests on', basis(summary)), summary.sensor ? null : part('Path', path(summary)), part('Capture', capture(summary)), part('Data quality', quality(summary))),
    part('Events', eventTable(events, course, go)),
    rawReport ? rawAtCursor(rawReport, cursor) : null, extras);
  const worst = course.outages[0] ?? (summary.worstSpan && spanOf(summary.worstSpan));
  go(worst ? (worst.start + worst.end) / 2 : course.span.start);
  return view;
}

function heading(summary) {
  return html('header', { class: 'verdict' },
    html('p', { class: 'big' }, scoreBadge(summary.score)),
    html('div', html('p', sentence(summary.verdict.replace(/^live: /, ''), summary.start)),
      quiet([summary.observer, summary.client, summary.attempt > 1 && `attempt ${summary.attempt}`, worded(summary.outcome), goingOn(summary),
        summary.ending && `ended: ${summary.ending}`, summary.sensor?.isDoubtful && 'the capture had faults', summary.isDirty && 'figures are being derived anew',
        summary.damage.length && 'a part of what is stored of it cannot be read, and is left out']
        .filter(Boolean).map(part => `${part} · `), moment(summary.start), ` · ${duration(Date.parse(summary.endedAt ?? summary.lastActivity) - Date.parse(summary.start))}`)));
}

function figures(summary) {
  const sound = soundHeard(summary);
  const codecs = [...new Set(summary.streams.map(stream => stream.codec).filter(Boolean))].map(codec => codec.replace(/^\w+\//, ''));
  return [
    ['Worst stretch', scoreBadge(summary.worstScore)], ['Far end heard', scoreBadge(summary.farEndScore)],
    ['Sound made up', figure(sound.concealedPercent, '%')], ['Packet loss', figure(sound.lossPercent, '%')],
    ['Round trip', figure(sound.roundTripMilliseconds ?? summary.path.roundTripMilliseconds, 'ms')],
    ['Answer to media', duration(answerToMedia(summary.setup))], ['MOS-CQ', figure(summary.rating?.mosCQ)],
    ['Codecs', codecs.join(', ') || NONE],
  ];
}

/** The ribbon as a slider, what it points at in words, the names of events, and lanes. */
function timeline(course, cursor, go) {
  const { span, origin, windows, outages, marks, lanes } = course;
  const find = member => course.charts.flatMap(chart => chart.series.map(line => ({ ...line, unit: chart.unit })))
    .filter(line => line.member === member && line.rows.length);
  const shown = [['concealedPercent', 'made up'], ['lossPercent', 'loss'], ['jitterMilliseconds', 'jitter'], ['roundTripMilliseconds', 'round trip'], ['framesPerSecond', 'frames a second']]
    .map(([member, name]) => ({ name, line: find(member)[0] })).filter(one => one.line);
  const atCursor = html('p', { class: 'at-cursor' });
  const knob = html('span', { class: 'knob' });
  const slider = html('div', {
    class: 'slider', tabindex: 0, role: 'slider', 'aria-label': 'Moment of the call', 'aria-valuemin': 0,
    'aria-valuemax': Math.round((span.end - span.start) / 1000),
  }, scoreRibbon(course), knob);
  const stepMilliseconds = Math.max(1000, Math.round((span.end - span.start) / 300 / 1000) * 1000);
  slider.addEventListener('keydown', event => {
    const steps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (steps) go(cursor.time + steps * stepMilliseconds);
    else if (event.key === 'Home') go(span.start);
    else if (event.key === 'End') go(span.end);
    else return;
    event.preventDefault();
  });
  for (const kind of ['pointerdown', 'pointermove']) {
    slider.addEventListener(kind, event => {
      if (kind === 'pointermove' && event.pointerType === 'touch') return;
      const box = slider.getBoundingClientRect();
      go(pointedTime(event.clientX - box.left, box.width, span));
    });
  }
  cursor.follow(time => {
    const window = rowAt(windows, time), band = bandOf(window?.score);
    const isDark = outages.some(one => one.start <= time && time <= one.end);
    const values = shown.map(({ name, line }) => `${name} ${valueText(rowAt(line.rows, time), line.unit)}`);
    const words = [window?.isHeld ? 'on hold' : band ? `score ${window.score}, ${band.name}` : 'no score', isDark ? 'blackout' : null, ...values].filter(Boolean);
    slider.ariaValueNow = Math.round((time - span.start) / 1000);
    slider.ariaValueText = `${clock(time - origin)}: ${words.join(', ')}`;
    atCursor.replaceChildren(html('b', clock(time - origin)), ' · ', moment(time, true), ' · ',
      band && !window.isHeld ? scoreBadge(window.score) : words[0], ...words.slice(1).map(word => ` · ${word}`));
    knob.style.setProperty('--at', (time - span.start) / (span.end - span.start));
  });
  return html('section', { class: 'timeline', 'aria-label': 'Course of the call' }, html('div', { class: 'sticky' }, slider, atCursor),
    markNames(span, marks), lanes.length ? laneChart(span, lanes) : null);
}

const SEVERITIES = { critical: ['✕', 'bad'], warning: ['▲', 'poor'] };

function issues(summary, course, go) {
  if (!summary.issues.length) return quiet('None found.');
  return table('Issues', ['Issue', 'When', 'Worst', 'Likely cause', 'Evidence'], summary.issues.map(issue => {
    const [sign, kind] = SEVERITIES[issue.severity] ?? ['○', ''], start = Date.parse(issue.start);
    const evidence = issue.evidence.map(one => `${one.member}${one.text !== null ? ` ${one.text}` : one.value !== null ? ` ${figure(one.value)}` : ''}`);
    return [
      html('span', { class: `score ${kind}` }, html('span', { 'aria-hidden': 'true' }, sign), ` ${worded(issue.kind)}`, html('span', { class: 'unseen' }, `, ${issue.severity}`)),
      moveButton(course, start, go, ` for ${issue.isOpen ? 'the rest' : duration(Date.parse(issue.end) - start)}`),
      issue.worst ? amount(issue.worst.value, { percent: '%', milliseconds: 'ms', seconds: 's', decibels: 'dB', count: '' }[issue.worst.unit]) : NONE,
      worded(issue.likelyCause), evidence.join(', ') || NONE,
    ];
  }));
}

/** A time that moves the cursor there. */
const moveButton = (course, time, go, after = '') => html('button', { type: 'button', class: 'link', onclick: () => go(time) }, clock(time - course.origin), after);

function pointsLost(summary) {
  const costs = Object.entries(summary.costsPoints ?? {}).filter(([, points]) => points >= 0.05).sort((a, b) => b[1] - a[1]);
  if (!costs.length) return quiet(summary.score === null ? 'There is no score.' : 'None.');
  return barList('Points lost by cause', costs.map(([cause, points]) => ({ name: worded(cause), value: points, text: points.toFixed(1), kind: 'plain' })));
}

function setupBars(summary) {
  const spans = setupSpans(summary.setup);
  if (!spans.length) return quiet('No callCreate came from this end, so setup was not timed.');
  return spanBars('Since callCreate', spans);
}

function streams({ streams: all }) {
  const rows = [
    ['codec', stream => stream.codec ?? NONE], ['ssrc', stream => stream.ssrc],
    ['from', ({ wire }) => wire?.source || NONE], ['to', ({ wire }) => wire?.destination || NONE],
    ['score, worst', stream => stream.score === null ? NONE : `${stream.score}, ${stream.worstScore ?? NONE}`],
    ...STREAM_FIGURES.map(one => [one[0], stream => amount(streamValue(stream, one), one[2])]),
    ['picture', stream => stream.frameWidthPixels ? `${stream.frameWidthPixels}×${stream.frameHeightPixels}` : NONE],
    ['frozen', stream => stream.frozenSeconds === null ? NONE : `${amount(stream.frozenSeconds, 's')} in ${stream.freezeCount ?? NONE}`],
  ];
  if (!all.length) return quiet('No stream was reported.');
  return table('Streams', ['', ...all.map(stream => streamName(stream, all))],
    rows.map(([name, value]) => [name, ...all.map(value)]).filter(row => row.slice(1).some(cell => cell !== NONE)));
}

/** What the score of the audio was computed from, and R and MOS beside it. */
function basis({ basis: on, rating }) {
  const ms = value => figure(value, 'ms'), percent = value => figure(value, '%');
  return on && facts([
    ['codec', on.codec ?? 'not known'], ['lost', percent(on.lossPercent)], ['late', percent(on.latePercent)], ['made up', percent(on.concealedPercent)],
    ['stretched', percent(on.stretchedPercent)], ['silent', percent(on.silentPercent)],
    ['delay', `network ${ms(on.networkDelayMilliseconds)}, jitter buffer ${ms(on.bufferDelayMilliseconds)}, codec ${ms(on.codecDelayMilliseconds)}`],
    ...rating ? [
      ['R', `${figure(rating.rFactor)} of ${figure(rating.largestRating)}, ${rating.band}, ${rating.recommendation}`],
      ['MOS-LQ, MOS-CQ', [rating.mosLQ, rating.mosCQ].map(mos => mos?.toFixed(2) ?? NONE).join(', ')],
      ['codec row', `${rating.codecRow}${rating.isEstimate ? ' (assumed)' : ''}: Ie ${figure(rating.equipmentImpairment)}, Bpl ${percent(rating.lossRobustness)}`],
      ['R rests on', `loss heard ${percent(rating.lossPercent)}, burst ratio ${figure(rating.burstRatio)}, delay ${ms(rating.oneWayDelayMilliseconds)}`],
    ] : [['R and MOS', on.codec ? 'none for this codec' : 'none without a codec']],
  ]);
}

/** Whether loss may be the capture's own, in the words of the text report. */
const capture = ({ sensor, start }) => sensor && (sensor.faults.length ? sensor.faults : ['No fault was seen.'])
  .map(fault => html('p', sentence(fault, start)));

/** Names and values; what is not known is left out. */
const facts = rows => html('dl', { class: 'facts' }, rows.filter(([, value]) => !isMissing(value) && value !== NONE)
  .map(([name, value]) => [html('dt', name), html('dd', value)]));

function path({ path, transport }) {
  return facts([
    ['candidates', path.localType && `${path.localType} to ${path.remoteType ?? 'unknown'}${path.protocol ? `, over ${path.protocol}` : ''}`],
    ['relay', path.isRelayed === null ? null : path.isRelayed ? `yes${path.relayProtocol ? `, over ${path.relayProtocol}` : ''}` : 'no'],
    ['network', path.networkType], ['addresses', path.localAddress && `${path.localAddress} to ${path.remoteAddress ?? 'unknown'}`],
    ['round trip by ICE', figure(path.roundTripMilliseconds, 'ms')],
    ['changes', path.changes.length ? path.changes.map((time, index) => [index ? ', ' : '', moment(time, true)]) : 'none'],
    ['carried in', figure(transport?.receivedKilobitsPerSecond, 'kbit/s')], ['carried out', figure(transport?.sentKilobitsPerSecond, 'kbit/s')],
    ['security', [transport?.dtlsCipher, transport?.srtpCipher].filter(Boolean).join(', ') || null],
  ]);
}

const quality = ({ dataQuality: found, rulesVersion }) => facts([
  ['reports', figure(found.reports)], ['one every', duration(found.medianIntervalMilliseconds)], ['events', figure(found.events)],
  ['missed reports', found.missedReports || null], ['contradictions', found.contradictions || null],
  ['counters reset', found.counterResets || null], ['unknown events', found.unknownEvents.join(', ') || null],
  ['clock set by', found.clockStepMilliseconds ? duration(found.clockStepMilliseconds) : null],
  ['notes', found.notes.join('; ') || null], ['rules', `version ${rulesVersion}`],
]);

function eventTable(events, course, go) {
  if (!events.length) return quiet('None came from this end.');
  return table('Events', ['After', 'Time', 'Since callCreate', 'Event'], events.map(event => [
    moveButton(course, Date.parse(event.time), go), moment(event.time, true),
    event.millisecondsSinceCreation === null ? NONE : `${event.millisecondsSinceCreation}\u202fms`, `${event.action} ${event.type}`,
  ]));
}

function rawAtCursor(rawReport, cursor) {
  return unfolded('Raw report at the cursor', () => {
    const text = html('pre', { tabindex: 0, 'aria-label': 'Raw report' });
    let waiting = null;
    const show = () => {
      waiting = null;
      rawReport(cursor.time).then(report => text.textContent = report, error => text.textContent = error.message);
    };
    cursor.follow(() => waiting ??= setTimeout(show, 200));
    show();
    return text;
  });
}
