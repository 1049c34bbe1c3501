/** A program's standard output as a socket, at whose near end it arrives in one buffer instead of a new one for each chunk. */
import { mkdtemp, rmdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred, settledWithin } from '@platen/core/plugin';
import { connectPooledReader } from '../frames/pooledReader.js';

export interface StdoutSocket {
  /** What the program gets as its standard output; to be destroyed here once it has it. */
  readonly childEnd: Socket;
  /** What it writes. A chunk is overwritten when the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  destroy(): void;
}

/** Two ends in one process find each other at once, or never. */
const CONNECT_MS = 5_000;

/** @returns undefined where the system has no such sockets, or no more descriptors */
export async function openStdoutSocket(): Promise<StdoutSocket | undefined> {
  const server = createServer({ pauseOnConnect: true });
  // The socket has a name for as long as it takes to connect, in a folder that nobody else can enter.
  const folder = await mkdtemp(join(tmpdir(), 'platen-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  try {
    return await connected(server, join(folder, 'stdout'));
  } catch {
    return undefined;
  } finally {
    server.close(); // which takes the name away, without a descriptor
    await rmdir(folder).catch(() => undefined);
  }
}

async function connected(server: Server, path: string): Promise<StdoutSocket> {
  const { promise: accepted, resolve: accept, reject: refuse } = deferred<Socket>();
  accepted.catch(() => undefined);
  let over = false;
  server.on('error', refuse).on('connection', childEnd => void (over ? childEnd.destroy() : accept(childEnd)));
  const { promise: listening, resolve: listen } = deferred<void>();
  server.listen(path, () => listen());
  await Promise.race([listening, accepted]);

  const { socket, chunks } = connectPooledReader(path);
  socket.on('error', refuse);
  // Where there is no descriptor to accept it with, it is closed and nobody is told.
  socket.on('close', () => refuse(new Error('it was not accepted')));
  if (!(await settledWithin(accepted, CONNECT_MS))) refuse(new Error('it was not accepted in time'));
  try {
    return { childEnd: await accepted, chunks: chunks(), destroy: () => void socket.destroy() };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    over = true;
  }
}
