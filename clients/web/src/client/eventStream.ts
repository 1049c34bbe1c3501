/** Events of the service, across reconnections. */
import { codeOfAnswer } from './errors.js';
import { failureOf, jsonOf } from './service.js';
import type { Service } from './transport/ask.js';
import { readEvents, type EventReader, type StreamEvent } from './transport/events.js';
import { createLink, DEAD_MS, type LinkOptions } from './transport/link.js';

export interface EventStreamOptions extends LinkOptions {
  readonly signal: AbortSignal;
  /** The id of the last event that arrived; undefined: none. */
  readonly last?: () => string | undefined;
}

/**
 * Never ends by itself: the caller leaves it at an event that ends it.
 * @throws PlatenError; `no-answer` after the last retry
 */
export async function* serviceEvents(
  service: Service,
  path: string,
  { signal, last, ...options }: EventStreamOptions,
): AsyncGenerator<StreamEvent, never, undefined> {
  const link = createLink(options);
  let reader: EventReader | undefined;
  const close = (): void => {
    reader?.close();
    reader = undefined;
  };
  const next = async (): Promise<StreamEvent | 'lost'> => {
    try {
      reader ??= await open();
      if (reader === undefined) return 'lost';
      link.up();
      const event = await reader.next(DEAD_MS);
      if (typeof event === 'object') return event;
      close();
      return 'lost';
    } catch (error) {
      close();
      throw error;
    }
  };
  /** @returns undefined while too many streams are open: the service may not have noticed yet that this one is lost */
  const open = async (): Promise<EventReader | undefined> => {
    const id = last?.();
    const headers = { accept: 'text/event-stream', ...(id === undefined ? {} : { 'last-event-id': id }) };
    const response = await service.ask(path, { headers, signal, consent: false });
    if (response.ok && response.body) return readEvents(response.body);
    if (codeOfAnswer(response) === 'too-many-streams') return undefined;
    throw failureOf(response, await jsonOf(response, signal));
  };
  try {
    for (;;) yield await link.hold(next, signal);
  } finally {
    close();
  }
}
