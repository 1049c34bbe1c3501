/** A driver as the desktop application has it: with the application's own defaults, and with an end for all that it scans. */
import { ScanError, type Driver, type Page, type ScanOrder, type Session, type TransferMode } from '@platen/core';

export interface Hosted {
  readonly driver: Driver;
  /**
   * Nothing is opened or fed any more; a scan that runs ends after the sheet in hand, with `not-connected`, so that
   * nobody takes it for whole. Resolves when none runs.
   */
  stop(): Promise<void>;
}

export function hostedDriver(driver: Driver, { transferMode }: { readonly transferMode: TransferMode }): Hosted {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const stopped = (): ScanError => new ScanError('not-connected', 'The desktop application was stopped.');

  function scanOn(session: Session): Session['scan'] {
    return (order, call) => {
      const stop = AbortSignal.any([call.stop, stopping.signal]);
      const pages = session.scan(withTransferMode(order, transferMode), { ...call, stop });
      return { [Symbol.asyncIterator]: () => watched(pages[Symbol.asyncIterator](), () => stopping.signal.aborted && !call.stop.aborted) };
    };
  }

  function watched(pages: AsyncIterator<Page>, isCut: () => boolean): AsyncIterator<Page> {
    let over = (): void => undefined;
    const run = new Promise<void>(resolve => (over = resolve));
    running.add(run);
    void run.then(() => running.delete(run));
    return {
      async next() {
        try {
          const next = await pages.next();
          if (!next.done) return next;
          if (isCut()) throw stopped();
          over();
          return next;
        } catch (error) {
          over();
          throw error;
        }
      },
      async return() {
        try {
          await pages.return?.();
        } finally {
          over();
        }
        return { done: true, value: undefined };
      },
    };
  }

  async function open(...[deviceId, call]: Parameters<Driver['open']>): Promise<Session> {
    if (stopping.signal.aborted) throw stopped();
    const session = await driver.open(deviceId, call);
    return varied(session, { scan: scanOn(session) });
  }

  return {
    driver: varied(driver, { open }),
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function withTransferMode(order: ScanOrder, transferMode: TransferMode): ScanOrder {
  return order.transferMode === undefined ? { ...order, transferMode } : order;
}

/** The same with some of its members replaced; those that change stay live. */
function varied<T extends object>(base: T, changes: Partial<T>): T {
  return Object.defineProperties({}, { ...Object.getOwnPropertyDescriptors(base), ...Object.getOwnPropertyDescriptors(changes) }) as T;
}
