/** A driver at the disposal of whoever is at the other end of a stream. */
import type { Duplex } from 'node:stream';
import { messageOf, type Driver, type Log } from '@platen/core/plugin';
import { createDesk } from './desk.js';
import { createEvents } from './events.js';
import { ownVersion } from './hello.js';
import { createLink } from './link.js';

export interface ServeOptions {
  readonly log: Log;
  /** What the other end's `link.peer` says; this package's when absent. */
  readonly version?: string;
  /** Pixels go in bands of so many bytes; 1 MiB when absent. */
  readonly bandBytes?: number;
  /** How long the other end may take for its first message; 10 000 ms when absent. */
  readonly helloMs?: number;
  /** The other end has said its hello, and it fits. */
  onHello?(version: string): void;
}

/**
 * Serves until the stream is closed; then every session that was opened through it is closed, and the promise
 * resolves: the next link finds the devices free. It never rejects: why a link ended is in the log. The driver itself
 * stays open, it is its owner's to close.
 */
export async function serveDriver(driver: Driver, stream: Duplex, options: ServeOptions): Promise<void> {
  const { log, version = ownVersion(), helloMs, bandBytes } = options;
  const own = { role: 'driver' as const, hello: { version, insert: driver.insert !== undefined } };
  const link = createLink(stream, { ...own, helloMs, bandBytes }, {
    onHello(theirs) {
      log.debug(`The driver ${driver.id} is used by Platen ${theirs.version}.`);
      options.onHello?.(theirs.version);
    },
    onFrame: frame => desk.take(frame),
    place: (header, length) => desk.place(header, length),
  });
  const desk = createDesk(driver, link.sender, log);
  const events = createEvents(link.sender);
  const endWatch = watch(driver, () => events.tell('devices'), log);
  const { why, refused } = await link.over;
  log[refused ? 'warn' : 'debug'](`The link to the driver ${driver.id} is over: ${why}.`);
  endWatch?.();
  await desk.close();
}

function watch(driver: Driver, onChange: () => void, log: Log): (() => void) | undefined {
  try {
    return driver.watch?.(onChange);
  } catch (error) {
    log.warn(`The driver ${driver.id} could not watch for scanners: ${messageOf(error)}`);
    return undefined;
  }
}
