/** A driver at the far end of a stream, as if it were here; a stream that is lost may be replaced by another one. */
import type { Duplex } from 'node:stream';
import { createMutex } from '@platen/core/driver';
import {
  ScanError,
  settledWithin,
  unlessAborted,
  type Call,
  type Driver,
  type DriverLink,
  type Log,
} from '@platen/core/plugin';
import { flagOf, MOST_TEXT, readDevice } from '@platen/core/wire';
import { IMAGE_BYTES } from './bandBuffer.js';
import { createRpcClient, type RpcClient } from './client.js';
import type { Handshake } from './handshake.js';
import { createListeners } from './listeners.js';
import { pullStream } from './pullStream.js';
import { remoteSession } from './remoteSession.js';

/** How long `close` waits for the far end to let go of its scanners. */
const CLOSE_MS = 5000;

export interface RemoteDriverOptions {
  readonly id: string;
  readonly log: Log;
  /** An image for `insert` is sent in bands of this many bytes; 1 MiB when absent. */
  readonly bandBytes?: number;
  /** How long the far end may take for its handshake; 10 000 ms when absent. */
  readonly handshakeMs?: number;
  /** How long `close` waits for the far end; 5000 ms when absent. */
  readonly closeMs?: number;
}

export interface RemoteDriver extends Driver {
  readonly link: DriverLink;
  /**
   * Goes on over this stream, and ends the one in use. Resolves after the far end's handshake.
   * @throws `not-connected`, with the reason, if there is no driver of this version at the far end
   */
  attach(stream: Duplex): Promise<void>;
  /** Resolves when the far end's event loop has answered. @throws `not-connected` */
  ping(call: Call): Promise<void>;
}

/**
 * `insert` is there while the far end's driver has it. `watch` also calls back when the connection comes or goes.
 * @param stream absent: nothing is connected until `attach`. Calls that are made before its handshake wait for it
 */
export function remoteDriver(stream: Duplex | undefined, options: RemoteDriverOptions): RemoteDriver {
  const { id, log, closeMs = CLOSE_MS, ...limits } = options;
  const linkListeners = createListeners<[connected: boolean]>(log);
  const watchers = createListeners<[]>(log);
  let current: RpcClient | undefined;
  /** The same after its handshake. */
  let ready: Promise<RpcClient> | undefined;
  let peer: Handshake | undefined;
  let closing: Promise<void> | undefined;

  const notConnected = (): ScanError =>
    new ScanError('not-connected', `The driver ${id} is not connected to the program that owns its scanners.`);

  async function connected(signal?: AbortSignal): Promise<RpcClient> {
    signal?.throwIfAborted();
    if (!ready) throw notConnected();
    return unlessAborted(ready, signal);
  }

  function attach(next: Duplex): Promise<void> {
    if (closing) {
      next.destroy();
      return Promise.reject(new ScanError('not-connected', `The driver ${id} was closed.`));
    }
    current?.end('another connection took its place');
    const handshaken = new Promise<RpcClient>((resolve, reject) => {
      const client = createRpcClient(
        next,
        { driverId: id, ...limits },
        {
          onHandshake(theirs) {
            resolve(client);
            if (current === client) setPeer(theirs);
          },
          onDevices: watchers.tell,
          onLost({ why, refused }) {
            log[refused ? 'warn' : 'debug'](`The connection of the driver ${id} ended: ${why}.`);
            reject(client.lost.reason as Error);
            if (current !== client) return;
            current = ready = undefined;
            setPeer(undefined);
          },
        },
      );
      if (current) setPeer(undefined);
      current = client;
    });
    ready = handshaken;
    return handshaken.then(() => undefined);
  }

  function setPeer(next: Handshake | undefined): void {
    if (peer === next) return;
    peer = next;
    if (peer?.insert) driver.insert = calls.insert;
    else delete driver.insert;
    linkListeners.tell(peer !== undefined);
    watchers.tell();
  }

  async function close(): Promise<void> {
    const client = current;
    if (!client) return;
    // Before its handshake the far end was asked nothing, and one that hangs never answers.
    if (peer)
      await settledWithin(
        client.call({ verb: 'close-all' }, () => undefined),
        closeMs,
      );
    client.end('it was closed');
    await client.over;
  }

  const calls = deviceCalls(connected, log);
  const driver: RemoteDriver = {
    id,
    link: {
      get peer() {
        return peer && { version: peer.version };
      },
      onChange: linkListeners.add,
    },
    async *devices({ signal }) {
      const client = await connected(signal);
      yield* pullStream(
        client,
        () => ({ verb: 'devices' }),
        { signal },
        { onItem: fields => readDevice(fields.device) },
      );
    },
    open: calls.open,
    watch: watchers.add,
    close: () => (closing ??= close()),
    attach,
    async ping({ signal }) {
      await (await connected(signal)).call({ verb: 'ping' }, () => undefined, { signal });
    },
  };
  if (stream) attach(stream).catch(() => undefined); // the log has it
  return driver;
}

/** What is asked of one scanner. */
function deviceCalls(
  connected: (signal?: AbortSignal) => Promise<RpcClient>,
  log: Log,
): Required<Pick<RemoteDriver, 'open' | 'insert'>> {
  const inserting = createMutex();
  return {
    async open(deviceId, { signal }) {
      const client = await connected(signal);
      assertDeviceId(deviceId);
      const parts = await client.call(
        { verb: 'open', device: deviceId },
        (answer, number) => ({ id: number, device: readDevice(answer.device), watches: flagOf(answer, 'watch') }),
        { signal, settled: true },
      );
      const session = remoteSession({ client, log, ...parts });
      if (!signal.aborted) return session;
      await session.close();
      throw signal.reason;
    },
    async insert(deviceId, image) {
      const client = await connected();
      assertDeviceId(deviceId);
      if (image.length > IMAGE_BYTES)
        throw new ScanError('unsupported', `An image of ${image.length} bytes is too large: ${IMAGE_BYTES} are taken.`);
      // One after the other: the far end takes one image at a time.
      await inserting(() => client.call({ verb: 'insert', device: deviceId }, () => undefined, { bytes: image }));
    },
  };
}

function assertDeviceId(deviceId: string): void {
  if (deviceId.length > MOST_TEXT)
    throw new ScanError('device-not-found', `There is no scanner whose id has ${deviceId.length} characters.`);
}
