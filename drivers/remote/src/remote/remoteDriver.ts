/** The driver at the far end of a stream, as if it were here; the stream may be lost, and replaced by another one. */
import type { Duplex } from 'node:stream';
import { createMutex, flagOf, MOST_TEXT, readDevice, ScanError, settledWithin, unlessAborted, type Call, type Driver, type DriverLink, type Log, type Session } from '@platen/core/plugin';
import { IMAGE_BYTES } from './arrival.js';
import { connectOver, type Connection } from './connection.js';
import type { Hello } from './hello.js';
import { createListeners } from './listeners.js';
import { pulled } from './pulled.js';
import { remoteSession } from './remoteSession.js';

/** How long `close` waits for the far end to let go of its scanners. */
const CLOSE_MS = 5000;

export interface RemoteDriverOptions {
  readonly id: string;
  readonly log: Log;
  /** An image for `insert` goes in bands of so many bytes; 1 MiB when absent. */
  readonly bandBytes?: number;
  /** How long the far end may take for its first message; 10 000 ms when absent. */
  readonly helloMs?: number;
  /** How long `close` waits for the far end; 5000 ms when absent. */
  readonly closeMs?: number;
}

export interface RemoteDriver extends Driver {
  readonly link: DriverLink;
  /**
   * Goes on over this stream; one that is in use until then is ended. Resolves when the far end has said hello.
   * @throws `not-connected`, with why, where there is no driver of this version at the far end
   */
  attach(stream: Duplex): Promise<void>;
  /** Resolves when the far end's event loop has answered. @throws `not-connected` */
  ping(call: Call): Promise<void>;
}

/**
 * `insert` is there while the far end's driver has it. `watch` also calls back when the link comes or goes.
 * @param stream absent: nothing is connected until `attach`. Calls made before its hello came wait for that
 */
export function remoteDriver(stream: Duplex | undefined, options: RemoteDriverOptions): RemoteDriver {
  const { id, log, closeMs = CLOSE_MS, ...limits } = options;
  const linkListeners = createListeners<[connected: boolean]>(log);
  const watchers = createListeners<[]>(log);
  let current: Connection | undefined;
  let greeted: Promise<Connection> | undefined;
  let peer: Hello | undefined;
  const inserting = createMutex();
  let closing: Promise<void> | undefined;

  const notConnected = (): ScanError => new ScanError('not-connected', `The driver ${id} is not connected to the program that owns its scanners.`);

  async function connected(signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted();
    if (!greeted) throw notConnected();
    return unlessAborted(greeted, signal);
  }

  function attach(next: Duplex): Promise<void> {
    if (closing) {
      next.destroy();
      return Promise.reject(new ScanError('not-connected', `The driver ${id} was closed.`));
    }
    current?.end('another link took its place');
    const hello = new Promise<Connection>((resolve, reject) => {
      const connection = connectOver(next, { driverId: id, ...limits }, {
        onHello(theirs) {
          resolve(connection);
          if (current === connection) setPeer(theirs);
        },
        onDevices: watchers.tell,
        onLost(why, refused) {
          log[refused ? 'warn' : 'debug'](`The link of the driver ${id} is over: ${why}.`);
          reject(connection.lost.reason as Error);
          if (current !== connection) return;
          current = greeted = undefined;
          setPeer(undefined);
        },
      });
      if (current) setPeer(undefined);
      current = connection;
    });
    greeted = hello;
    return hello.then(() => undefined);
  }

  function setPeer(next: Hello | undefined): void {
    if (peer === next) return;
    peer = next;
    if (peer?.insert) driver.insert = insert;
    else delete driver.insert;
    linkListeners.tell(peer !== undefined);
    watchers.tell();
  }

  async function insert(deviceId: string, image: Uint8Array): Promise<void> {
    const connection = await connected();
    assertDeviceId(deviceId);
    if (image.length > IMAGE_BYTES) throw new ScanError('unsupported', `An image of ${image.length} bytes is too large: ${IMAGE_BYTES} are taken.`);
    // One after the other: the far end holds one image that is coming.
    await inserting(() => connection.call({ verb: 'insert', device: deviceId }, () => undefined, { bytes: image }));
  }

  async function open(deviceId: string, { signal }: Call): Promise<Session> {
    const connection = await connected(signal);
    assertDeviceId(deviceId);
    const parts = await connection.call(
      { verb: 'open', device: deviceId },
      (answer, number) => ({ id: number, device: readDevice(answer.device), watches: flagOf(answer, 'watch') }),
      { signal, settled: true },
    );
    const session = remoteSession({ connection, log, ...parts });
    if (!signal.aborted) return session;
    await session.close();
    throw signal.reason;
  }

  async function close(): Promise<void> {
    const connection = current;
    if (!connection) return;
    // Before its hello nothing was asked of the far end, and one that stands still says none.
    if (!peer) {
      connection.end('it was closed');
      return connection.over;
    }
    await settledWithin(connection.call({ verb: 'close-all' }, () => undefined), closeMs);
    connection.end('it was closed');
    await connection.over;
  }

  const driver: RemoteDriver = {
    id,
    link: {
      get peer() {
        return peer && { version: peer.version };
      },
      onChange: linkListeners.add,
    },
    async *devices({ signal }) {
      const connection = await connected(signal);
      yield* pulled(connection, () => ({ verb: 'devices' }), { signal }, { onItem: fields => readDevice(fields.device) });
    },
    open,
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

function assertDeviceId(deviceId: string): void {
  if (deviceId.length > MOST_TEXT) throw new ScanError('device-not-found', `There is no scanner whose id has ${deviceId.length} characters.`);
}
