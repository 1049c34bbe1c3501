/** A scan's events, across reconnections. */
import { codeOfAnswer } from '../errors.js';
import { readEvents, type EventReader, type StreamEvent } from '../transport/events.js';
import { createLink, DEAD_MS } from '../transport/link.js';
import type { Service } from '../transport/ask.js';
import { failureOf, jsonOf } from '../service.js';

/**
 * Never ends by itself: the caller leaves it at the event that ends the scan.
 * @param last the number of the last page that arrived
 * @throws PlatenError; `no-answer` after the last retry
 */
export async function* scanEvents(
  service: Service,
  path: string,
  last: () => number,
  signal: AbortSignal,
  onConnection: ((connected: boolean) => void) | undefined,
): AsyncGenerator<StreamEvent, never, undefined> {
  const link = createLink({ onConnection });
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
    const headers = { accept: 'text/event-stream', ...(last() > 0 ? { 'last-event-id': String(last()) } : {}) };
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
