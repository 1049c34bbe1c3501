/**
 * A driver as the desktop application serves it: with the application's default transfer mode, and one `stop` for all
 * scans.
 */
import {
  deferred,
  eitherSignal,
  ScanError,
  wrapDriver,
  wrapPages,
  wrapSession,
  type Driver,
  type ScanOrder,
  type Session,
  type TransferMode,
} from '@platen/core';

export interface Hosted {
  readonly driver: Driver;
  /**
   * Rejects opens and stops feeding. A running scan ends after the current sheet with `not-connected`, so that it is
   * not taken for complete. Resolves when no scan runs.
   */
  stop(): Promise<void>;
}

export function hostedDriver(driver: Driver, { transferMode }: { readonly transferMode: TransferMode }): Hosted {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const stopped = (): ScanError => new ScanError('not-connected', 'The desktop application was stopped.');

  function scanOn(session: Session): Session['scan'] {
    return (order, call) => {
      const { signal: stop, release } = eitherSignal(call.stop, stopping.signal);
      const pages = session.scan(withTransferMode(order, transferMode), { ...call, stop });
      const { promise: over, resolve } = deferred<void>();
      return wrapPages(pages, {
        async pull(next) {
          running.add(over);
          const result = await next();
          if (result.done && stopping.signal.aborted && !call.stop.aborted) throw stopped();
          return result;
        },
        onEnd() {
          running.delete(over);
          release();
          resolve();
        },
      });
    };
  }

  async function open(...[deviceId, call]: Parameters<Driver['open']>): Promise<Session> {
    if (stopping.signal.aborted) throw stopped();
    const session = await driver.open(deviceId, call);
    return wrapSession(session, { scan: scanOn(session) });
  }

  return {
    driver: wrapDriver(driver, { open }),
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function withTransferMode(order: ScanOrder, transferMode: TransferMode): ScanOrder {
  return order.transferMode === undefined ? { ...order, transferMode } : order;
}
