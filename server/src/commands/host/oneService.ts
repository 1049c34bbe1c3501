/** Serves one service at a time: the latest to connect. */
import type { Duplex } from 'node:stream';
import { settledWithin, type Driver, type Log } from '@platen/core';
import { onceLog } from '@platen/driver-kit';
import { serveDriver } from '@platen/driver-remote';

/** How long the previous connection's sessions may take to close; a scanner that is still open after it is busy. */
const HANDOVER_MS = 5000;

export interface OneService {
  /**
   * Serves this stream and ends the previous one. Two services cannot share a data folder and its secret, so this is
   * the same service: its previous connection hangs or was lost unnoticed.
   */
  take(stream: Duplex): void;
  /** Ends the connection; resolves when its sessions are closed. */
  close(): Promise<void>;
}

export interface OneServiceOptions {
  readonly log: Log;
  /** The desktop application's version. */
  readonly version: string;
  /** 5000 when absent. */
  readonly handoverMs?: number;
}

export function oneService(driver: Driver, { log, version, handoverMs = HANDOVER_MS }: OneServiceOptions): OneService {
  // A service of another version connects every five seconds and is rejected each time.
  const once = onceLog(log);
  let current: { readonly stream: Duplex; readonly over: Promise<void> } | undefined;

  async function serve(stream: Duplex, before: typeof current): Promise<void> {
    if (before) {
      if (!before.stream.destroyed) log.warn('The service connected again; closed its previous connection.');
      before.stream.destroy();
      await settledWithin(before.over, handoverMs);
    }
    if (stream.destroyed) return;
    let used = false;
    await serveDriver(driver, stream, {
      log: once,
      version,
      onHandshake(theirs) {
        used = true;
        once.again();
        log.info(`The service (version ${theirs}) connected.`);
      },
    });
    if (used) log.info('The service disconnected.');
  }

  return {
    take(stream) {
      current = { stream, over: serve(stream, current) };
    },
    async close() {
      current?.stream.destroy();
      await current?.over;
    },
  };
}
