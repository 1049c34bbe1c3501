/** Server-Sent Events from a fetched body, which, unlike EventSource, gives access to the status and to the last id. */
import { within } from './waiting.js';

export interface StreamEvent {
  readonly event: string;
  /** Empty if it has none. */
  readonly id: string;
  readonly data: string;
}

export interface EventReader {
  /** The next event; `end` at the stream's end; `quiet` if no byte arrived for that long. @throws if the connection is lost */
  next(quietMs: number): Promise<StreamEvent | 'end' | 'quiet'>;
  /** Whether an event has arrived only in part. */
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
      // The pending read rejects, and nothing awaits it.
      pending?.catch(() => undefined);
      reader.cancel().catch(() => undefined);
    },
  };
}

/**
 * Parses as the standard says, for lines that end with \n or \r\n:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
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
      // A page is one line in hundreds of pieces: search only the new piece.
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
