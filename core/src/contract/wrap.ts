/**
 * A driver, a session or its pages with some behaviour replaced: the one place that passes the contract's facets on.
 */
import type { Driver, Session } from './driver.js';
import type { Page } from './page.js';

/** The members to replace; undefined removes a member. */
export type Replacing<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** A member may be undefined here, although the contract only allows it to be absent. */
type Members<T> = { readonly [Name in keyof T]: T[Name] | undefined };

/** The same driver with some members replaced. `insert` is present while the driver has it. */
export function wrapDriver(driver: Driver, replacing: Replacing<Driver>): Driver {
  const { id, link } = driver;
  const insert: Driver['insert'] = async (deviceId, image) => driver.insert?.(deviceId, image);
  const members: Members<Driver> = {
    id,
    ...(link && { link }),
    devices: call => driver.devices(call),
    open: (deviceId, call) => driver.open(deviceId, call),
    ...(driver.watch && { watch: (onChange: () => void) => driver.watch!(onChange) }),
    get insert() {
      return driver.insert && insert;
    },
    close: () => driver.close(),
  };
  return replaced(members, replacing) as Driver;
}

/** The same session with some members replaced. */
export function wrapSession(session: Session, replacing: Replacing<Session>): Session {
  const members: Members<Session> = {
    get device() {
      return session.device;
    },
    capabilities: call => session.capabilities(call),
    status: call => session.status(call),
    ...(session.watch && { watch: (onEvent: Parameters<NonNullable<Session['watch']>>[0]) => session.watch!(onEvent) }),
    scan: (order, call) => session.scan(order, call),
    close: () => session.close(),
  };
  return replaced(members, replacing) as Session;
}

function replaced<T>(members: Members<T>, replacing: Replacing<T>): Members<T> {
  const all: PropertyDescriptorMap = {
    ...Object.getOwnPropertyDescriptors(members),
    ...Object.getOwnPropertyDescriptors(replacing),
  };
  const present = Object.entries(all).filter(([, member]) => member.get !== undefined || member.value !== undefined);
  return Object.defineProperties({}, Object.fromEntries(present)) as Members<T>;
}

export interface PageHooks {
  /** For each pull; `next` pulls from the wrapped scan. */
  pull?(next: () => Promise<IteratorResult<Page>>): Promise<IteratorResult<Page>>;
  /** For each page. If it throws, the wrapped scan is told to end and is not awaited. */
  read?(page: Page): Page;
  /** Called once: the pages ended, a pull failed, or `return()` came back. No pull follows. */
  onEnd?(): void;
}

/** The same pages, to be iterated once. Not a generator: `return()` during a pull reaches the driver at once. */
export function wrapPages(pages: AsyncIterable<Page>, hooks: PageHooks): AsyncIterable<Page> {
  const { pull = next => next(), read = page => page, onEnd } = hooks;
  const done = { done: true, value: undefined } as const;
  return {
    [Symbol.asyncIterator]() {
      const iterator = pages[Symbol.asyncIterator]();
      let ended = false;
      const end = (): void => {
        if (!ended) onEnd?.();
        ended = true;
      };
      const readOrLeave = (page: Page): Page => {
        try {
          return read(page);
        } catch (error) {
          void (async () => iterator.return?.())().catch(() => undefined);
          throw error;
        }
      };
      return {
        async next() {
          if (ended) return done;
          try {
            const result = await pull(() => iterator.next());
            if (!result.done) return { done: false, value: readOrLeave(result.value) };
          } catch (error) {
            end();
            throw error;
          }
          end();
          return done;
        },
        async return() {
          try {
            await iterator.return?.();
          } finally {
            end();
          }
          return done;
        },
      };
    },
  };
}
