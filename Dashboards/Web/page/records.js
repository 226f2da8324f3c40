// Records of calls: how they are named, addressed and read.

import { address, callPath, readJSON } from './api.js';

/** The address of a record in the page. */
export const recordAddress = call => address('/call', { id: call.callId, observer: call.observer, attempt: call.attempt > 1 ? call.attempt : null });

/** What names a record, for marking. */
export const recordName = call => JSON.stringify({ '': call.callId, Observer: call.observer, Attempt: call.attempt });

/** The address where two records are compared. */
export const compareAddress = (a, b) => address('/compare', { a: a.callId, aObserver: a.observer, aAttempt: a.attempt, b: b.callId, bObserver: b.observer, bAttempt: b.attempt });

/** As many points of a stream as a wide screen has room for. */
export const POINTS = 400;

/** A record with its events and series; the first of the call when the query names none. */
export async function readRecord({ id, observer, attempt }) {
  if (!id) throw new Error('The address names no call: /call?id=…');
  const { records } = await readJSON(callPath(id), { attempt });
  const summary = records.find(record => record.observer === observer) ?? records.at(0);
  if (observer && summary.observer !== observer) throw new Error(`The call has no observer ${observer}.`);
  const which = { observer: summary.observer, attempt: summary.attempt };
  const path = rest => callPath(summary.callId, rest);
  const [events, series] = await Promise.all([readJSON(path('/events'), which), readJSON(path('/series'), { ...which, points: POINTS })]);
  return { records, which, data: { summary, events: events.records[0].events, series: series.records[0] } };
}
