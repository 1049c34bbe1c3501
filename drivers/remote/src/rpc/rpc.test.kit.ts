/** Fixtures for the tests of the rpc: awkward streams, and both ends of a connection over them. */
import { createServer, connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { recordingLog, type RecordingLog } from '@platen/conformance';
import type { Device, Driver, ScanOrder } from '@platen/core/plugin';
import { encodeFrame, type Frame, readFrames } from '@platen/driver-kit';
import { PROTOCOL } from './handshake.js';
import { remoteDriver, type RemoteDriver, type RemoteDriverOptions } from './remoteDriver.js';
import { serveDriver, type ServeOptions } from './serveDriver.js';

export const never = (): AbortSignal => new AbortController().signal;
export const call = () => ({ signal: never() });

/**
 * Two ends in memory; bytes arrive cut at odd places, and a reader that does not read holds the writer up.
 * @param onWritten told how many bytes the second end has written
 */
export function memoryPair(
  onWritten?: (bytes: number) => void,
  sizes: readonly number[] = [1, 7, 3, 8, 4093, 2, 65_521, 11],
): [Duplex, Duplex] {
  const ends: Duplex[] = [];
  const wake: (() => void)[] = [() => undefined, () => undefined];
  let turn = 0;
  let written = 0;
  const make = (own: 0 | 1, other: 0 | 1): Duplex =>
    new Duplex({
      read: () => wake[own]!(),
      write(chunk: Buffer, _encoding, done) {
        let at = 0;
        if (own === 1) onWritten?.((written += chunk.length));
        const pass = (): void => {
          // The other end has had its end of file.
          if (ends[own]!.destroyed) return done();
          while (at < chunk.length) {
            const piece = chunk.subarray(at, at + sizes[turn++ % sizes.length]!);
            at += piece.length;
            if (!ends[other]!.push(Buffer.from(piece)) && at < chunk.length) return void (wake[other] = pass);
          }
          wake[other] = () => undefined;
          done();
        };
        setImmediate(pass); // as of a real stream, whose other direction gets its turn too
      },
      destroy(error, done) {
        if (!ends[other]!.destroyed) ends[other]!.push(null);
        done(error);
      },
      final(done) {
        if (!ends[other]!.destroyed) ends[other]!.push(null);
        done();
      },
    });
  ends.push(make(0, 1), make(1, 0));
  return [ends[0]!, ends[1]!];
}

/** Two ends of a Unix socket (a named pipe's equal here), or of a connection to this machine itself. */
export async function socketPair(kind: 'unix' | 'tcp' = 'unix'): Promise<[Socket, Socket]> {
  const dir = await mkdtemp(join(tmpdir(), 'rpc-'));
  const server = createServer();
  await new Promise<void>(resolve =>
    kind === 'unix' ? server.listen(join(dir, 'link'), resolve) : server.listen(0, '127.0.0.1', resolve),
  );
  const address = server.address();
  const accepted = new Promise<Socket>(resolve => server.once('connection', resolve));
  const dialled = typeof address === 'string' ? connect(address) : connect(address!.port, '127.0.0.1');
  const pair: [Socket, Socket] = [dialled, await accepted];
  server.close();
  await rm(dir, { recursive: true, force: true });
  return pair;
}

export interface Ends {
  /** Of both ends, without what is for debugging. */
  readonly log: RecordingLog;
  readonly remote: RemoteDriver;
  /** Settles when the serving end has let go of everything. */
  readonly served: Promise<void>;
  /** The client's. */
  readonly near: Duplex;
  readonly far: Duplex;
}

export interface EndOptions {
  readonly near?: Partial<RemoteDriverOptions>;
  readonly far?: Partial<ServeOptions>;
}

/** A connection to the driver, after the handshakes. */
export async function linked(
  driver: Driver,
  [near, far]: readonly [Duplex, Duplex] = memoryPair(),
  options: EndOptions = {},
): Promise<Ends> {
  const log = recordingLog('info');
  const served = serveDriver(driver, far, { log, ...options.far });
  const remote = remoteDriver(undefined, { id: 'remote', log, ...options.near });
  await remote.attach(near);
  return { remote, served, near, far, log };
}

/** A header, or one with bytes. */
export type Message = object | readonly [object, Uint8Array];

/** An end that the test plays itself, message by message. */
export function peerOver(stream: Duplex) {
  const frames = readFrames(stream);
  stream.on('error', () => undefined);
  const say = (header: object, data?: Uint8Array): void => {
    for (const chunk of encodeFrame(header, data)) stream.write(chunk);
  };
  return {
    say,
    sayAll(messages: readonly Message[]): void {
      for (const each of messages) {
        if (Array.isArray(each)) say(...(each as [object, Uint8Array]));
        else say(each);
      }
    },
    /** The next message; undefined when the stream is over. */
    async hear(): Promise<Frame | undefined> {
      const next = await frames.next().catch(() => undefined);
      return next?.value ?? undefined;
    },
  };
}

export const serverHandshake = { hello: { protocol: PROTOCOL, role: 'driver', version: '9.9.9', insert: false } };
export const clientHandshake = { hello: { protocol: PROTOCOL, role: 'client', version: '9.9.9', insert: false } };

export function orderOf(order: Partial<ScanOrder> = {}): ScanOrder {
  return {
    source: 'feeder',
    resolution: 75,
    colorMode: 'Grayscale',
    duplexMode: 'Simplex',
    pageSize: 'A4',
    adjustments: [],
    maxPixels: 100_000_000,
    ...order,
  };
}

export async function listOf(driver: Driver): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices(call())) found.push(device);
  return found;
}

/** A few turns of the event loop, through which messages in memory have long arrived. */
export async function settle(turns = 50): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve));
}
