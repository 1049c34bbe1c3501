/** Server-Sent Events out of a fetched body: unlike an EventSource's, its status and its place are in our hands. */
import { within } from './waiting.js';

export interface StreamEvent {
  readonly event: string;
  /** Empty where it has none. */
  readonly id: string;
  readonly data: string;
}

export interface EventReader {
  /** The next event; `end` at the stream's end, `quiet` when not a byte came for so long. @throws where the connection is lost */
  next(quietMs: number): Promise<StreamEvent | 'end' | 'quiet'>;
  /** Whether a part of an event is there, and the rest has yet to come. */
  readonly midway: boolean;
  close(): void;
}

export function readEvents(body: ReadableStream<Uint8Array>): EventReader {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser();
  const ready: StreamEvent[] = [];
  let pending: ReturnType<typeof reader.read> | undefined;
  return {
    async next(quietMs) {
      for (;;) {
        const event = ready.shift();
        if (event) return event;
        const chunk = await within(quietMs, (pending ??= reader.read()));
        if (!chunk) return 'quiet';
        pending = undefined;
        if (chunk.done) return 'end';
        ready.push(...parser.take(decoder.decode(chunk.value, { stream: true })));
      }
    },
    get midway() {
      return ready.length > 0 || parser.midway;
    },
    close() {
      // The read that is under way rejects, and nobody waits for it any more.
      pending?.catch(() => undefined);
      reader.cancel().catch(() => undefined);
    },
  };
}

/** As the standard reads a stream, for lines that end with \n or \r\n: https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation */
export function createParser(): { take(text: string): StreamEvent[]; readonly midway: boolean } {
  let line = '';
  let event = '';
  let id = '';
  let data: string[] = [];

  const field = (text: string): void => {
    const colon = text.indexOf(':');
    const name = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? '' : text.slice(text[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  };

  return {
    take(text) {
      const found: StreamEvent[] = [];
      // A page is one line, in hundreds of pieces: only the new piece is looked through.
      const pieces = text.split('\n');
      for (const piece of pieces.slice(0, -1)) {
        const whole = `${line}${piece}`.replace(/\r$/, '');
        line = '';
        if (whole !== '') {
          field(whole);
          continue;
        }
        if (data.length > 0) found.push({ event: event || 'message', id, data: data.join('\n') });
        event = '';
        data = [];
      }
      line += pieces.at(-1) ?? '';
      return found;
    },
    get midway() {
      return line !== '' || data.length > 0;
    },
  };
}
