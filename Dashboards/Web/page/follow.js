// Following what happens, by Server-Sent Events: only where something goes on.

import { Refusal, ask } from './api.js';

/** Signs of life come every 15 s. Without any for so long a connection is gone, though nobody said so. */
const LONGEST_SILENCE_MILLISECONDS = 45_000;

/**
 * Follows Server-Sent Events until the signal says stop, and takes up where it was after a break. By fetch, for
 * EventSource cannot send a token other than in the address.
 */
export async function follow(path, { signal, onEvent, onState }) {
  let last = null, waitMilliseconds = 2000;
  while (!signal.aborted) {
    const silence = new AbortController();
    let timer = null;
    const listen = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), LONGEST_SILENCE_MILLISECONDS);
    };
    try {
      listen();
      const answer = await ask(path, { signal: AbortSignal.any([signal, silence.signal]), headers: { Accept: 'text/event-stream', ...last && { 'Last-Event-ID': last } } });
      onState('connected');
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        listen();
        text += value;
        const blocks = text.split('\n\n');
        text = blocks.pop();
        for (const block of blocks) {
          const fields = { event: 'message', data: '' };
          for (const line of block.split('\n')) {
            const colon = line.indexOf(':');
            if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, '');
          }
          if (fields.id) last = fields.id;
          if (fields.retry) waitMilliseconds = Number(fields.retry) || waitMilliseconds;
          if (fields.data) onEvent(fields.event, JSON.parse(fields.data));
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) return onState(error.message);
    } finally {
      clearTimeout(timer);
    }
    onState('broken off, connecting again');
    await new Promise(done => setTimeout(done, waitMilliseconds));
  }
}
