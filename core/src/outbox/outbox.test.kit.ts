/** An outbox that records its events, and readers of it. */
import { setImmediate as breathe } from 'node:timers/promises';
import { createOutbox, type OutboxSettings } from './outbox.js';
import { readInTurn, type OutboxReader } from './readInTurn.js';
import { createSeries } from './series.js';

export function box(capacity = 100, more: Partial<OutboxSettings<string>> = {}) {
  const counts: number[] = [];
  const discarded: string[] = [];
  const delivered: string[] = [];
  const series = more.series ?? createSeries('7', more.found?.at(-1)?.n);
  const made = createOutbox<string>({
    series,
    capacity: () => capacity,
    resendBytes: 0,
    sizeOf: () => 10,
    onReaders: count => void counts.push(count),
    onDelivered: value => void delivered.push(value),
    drop: value => void discarded.push(value),
    ...more,
  });
  const put = (value: string): void => {
    const { number, done } = series.take();
    made.put(number, value);
    done();
  };
  const live = { boxes: [{ outbox: made, mayRead: () => true }], change: series.change };
  const outbox = Object.assign(Object.create(made) as typeof made, {
    read: (lastEventId?: string) => readInTurn<string>([], live, lastEventId),
  });
  return {
    outbox,
    series,
    counts,
    discarded,
    delivered,
    put: (...values: string[]) => values.forEach(put),
  };
}

export const by = { event: 'disabled', reason: 'requested', message: 'by request' } as const;

/** The next event of a reader, as a word. */
export async function next({ events }: OutboxReader<string>): Promise<string> {
  const { done, value } = await events.next();
  if (done) return 'over';
  return value.kind === 'item' ? `${value.item.id} ${value.item.value}` : `${value.end.event}: ${value.end.reason}`;
}

export async function take(reader: OutboxReader<string>, count: number): Promise<string[]> {
  const all: string[] = [];
  while (all.length < count) all.push(await next(reader));
  return all;
}

/** Whether a promise is settled once all pending work has run. */
export async function settles(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const done = (): void => void (settled = true);
  promise.then(done, done);
  for (let i = 0; i < 10; i++) await breathe();
  return settled;
}
