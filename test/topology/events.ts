/** A client of the event stream that a test can pause and kill. */
import { get } from 'node:https';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { checkEvent, checkKeys } from './shapes.js';

export interface StreamOptions {
  /** Of the stream; auto-scan's when absent. */
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** The last event's id, as a browser sends it when it reconnects. */
  readonly lastEventId?: string;
  /** Requests the code for the stream's end. */
  readonly report?: boolean;
}

export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

export interface EventStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All events so far. */
  readonly text: string;
  readonly events: readonly StreamEvent[];
  /** Resolves when this many events have arrived. @throws if the stream ends before */
  come(count: number): Promise<readonly StreamEvent[]>;
  /** Resolves with all events when the service has ended the stream. */
  readonly ended: Promise<readonly StreamEvent[]>;
  hangUp(): void;
}

export async function openEvents(
  port: number,
  { path: wanted = '/api/twain/autoscan/events', headers, lastEventId, report = false }: StreamOptions = {},
): Promise<EventStream> {
  const sent: OutgoingHttpHeaders = {
    host: `localhost:${port}`,
    accept: 'text/event-stream',
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    ...headers,
  };
  const path = `${wanted}${report ? '?report=true' : ''}`;
  const [response, hangUp] = await new Promise<[IncomingMessage, () => void]>((resolve, reject) => {
    const call = get(
      { host: '127.0.0.1', port, path, headers: sent, rejectUnauthorized: false, agent: false },
      answer => resolve([answer, () => void call.destroy()]),
    );
    call.on('error', reject);
  });
  const stream = Object.assign(read(response, path), { hangUp });
  if (stream.status >= 400) {
    await stream.ended;
    checkKeys('GET', path, stream.status, JSON.parse(stream.text));
  }
  return stream;
}

function read(response: IncomingMessage, path: string): Omit<EventStream, 'hangUp'> {
  const events: StreamEvent[] = [];
  const waiting = new Set<() => void>();
  let text = '';
  let rest = '';
  let over = false;
  let failure: Error | undefined;
  const tell = (): void => waiting.forEach(each => each());
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    const blocks = (rest + part).split('\n\n');
    rest = blocks.pop() ?? '';
    try {
      if (response.statusCode === 200) events.push(...blocks.flatMap(block => parse(block, path)));
    } catch (error) {
      failure = error as Error;
    }
    tell();
  });
  response.on('error', () => undefined);
  const ended = new Promise<readonly StreamEvent[]>((resolve, reject) => {
    response.on('close', () => {
      over = true;
      tell();
      if (failure) reject(failure);
      else resolve(events);
    });
  });
  ended.catch(() => undefined);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get text() {
      return text;
    },
    events,
    ended,
    come: count =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (failure) reject(failure);
          else if (events.length >= count) resolve(events);
          else if (over)
            reject(new Error(`the stream ended after ${events.length} of ${count} events: ${text.slice(-300)}`));
          else return;
          waiting.delete(look);
        };
        waiting.add(look);
        look();
      }),
  };
}

/** An event of the stream; undefined for comments and the retry time. */
function parse(block: string, path: string): StreamEvent[] {
  const fields = new Map(
    block
      .split('\n')
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()] as const),
  );
  const [event, data] = [fields.get('event'), fields.get('data')];
  if (event === undefined && data === undefined) return [];
  if (event === undefined || data === undefined) throw new Error(`incomplete event: ${block.slice(0, 200)}`);
  const json = JSON.parse(data) as unknown;
  checkEvent(path, event, json);
  return [{ id: fields.get('id'), event, data: json }];
}
