/** Fixtures: two ends of a channel, and strangers. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordingLog, type RecordingLog } from '@platen/conformance';
import type { Test } from 'tap';
import { channelAddress } from './address.js';
import { listenChannel, type Listening } from './listen.js';
import { channelSecret } from './secret.js';

export const NAME = 'test';

/** A private data folder. Its path is short enough for sockets. */
export async function folder(t: Test): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'pl-'));
  t.teardown(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export async function addressIn(dataDir: string): Promise<string> {
  return channelAddress({ name: NAME, dataDir, secret: await channelSecret(dataDir) });
}

export interface Host extends Listening {
  readonly log: RecordingLog;
  /** The streams whose other ends have proved themselves. */
  readonly streams: Socket[];
  next(): Promise<Socket>;
}

export async function host(t: Test, dataDir: string, challengeMs = 60_000): Promise<Host> {
  const log = recordingLog('info');
  const streams: Socket[] = [];
  const waiting: ((stream: Socket) => void)[] = [];
  const listening = await listenChannel({
    name: NAME,
    dataDir,
    challengeMs,
    log,
    onStream(stream) {
      t.teardown(() => stream.destroy());
      streams.push(stream);
      waiting.shift()?.(stream);
    },
  });
  t.teardown(() => listening.close());
  return { ...listening, log, streams, next: () => new Promise(resolve => waiting.push(resolve)) };
}

/** Listens at the channel's address and is not the desktop application. */
export async function squatter(t: Test, dataDir: string, behave: (socket: Socket) => void): Promise<Server> {
  const server = createServer(socket => {
    socket.on('error', () => undefined);
    t.teardown(() => socket.destroy());
    behave(socket);
  }).listen(await addressIn(dataDir));
  t.teardown(() => server.close());
  await once(server, 'listening');
  return server;
}

/** Connects to the channel's address and is not the service. */
export async function stranger(t: Test, address: string): Promise<Socket> {
  const socket = connect(address);
  t.teardown(() => socket.destroy());
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

/** All that comes until the other end closes. */
export async function everything(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  if (!socket.destroyed) await new Promise<void>(resolve => socket.once('close', () => resolve()));
  return Buffer.concat(parts);
}
