/** Serves a driver to the other end of a stream. */
import type { Duplex } from 'node:stream';
import type { Driver, Log } from '@platen/core/plugin';
import { watchDriver } from '../facets.js';
import { createRpcServer } from './server.js';
import { createEvents } from './events.js';
import { ownVersion } from './handshake.js';
import { createTransport } from './transport.js';

export interface ServeOptions {
  readonly log: Log;
  /** What the other end sees as `link.peer`; this package's version when absent. */
  readonly version?: string;
  /** Pixels are sent in bands of this many bytes; 1 MiB when absent. */
  readonly bandBytes?: number;
  /** How long the other end may take for its first message; 10 000 ms when absent. */
  readonly handshakeMs?: number;
  /** The handshake of the other end has come, and it fits. */
  onHandshake?(version: string): void;
}

/**
 * Serves until the stream is closed. Then it closes every session that was opened through the stream and resolves: the
 * next connection finds the devices free. It never rejects: the log says why a connection ended. The driver itself stays
 * open: its owner closes it.
 */
export async function serveDriver(driver: Driver, stream: Duplex, options: ServeOptions): Promise<void> {
  const { log, version = ownVersion(), handshakeMs, bandBytes } = options;
  const handshake = { version, insert: driver.insert !== undefined };
  const transport = createTransport(
    stream,
    { role: 'driver', handshake, handshakeMs, bandBytes },
    {
      onHandshake(theirs) {
        log.debug(`The driver ${driver.id} is used by Platen ${theirs.version}.`);
        options.onHandshake?.(theirs.version);
      },
      onFrame: frame => server.take(frame),
      place: (header, length) => server.place(header, length),
    },
  );
  const server = createRpcServer(driver, transport.sender, log);
  const events = createEvents(transport.sender);
  const endWatch = watchDriver(driver, () => events.tell('devices'), log);
  const { why, refused } = await transport.over;
  log[refused ? 'warn' : 'debug'](`The connection to the driver ${driver.id} ended: ${why}.`);
  endWatch?.();
  await server.close();
}
