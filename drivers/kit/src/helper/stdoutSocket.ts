/** A program's stdout as a socket, read into one reused buffer instead of a new one for each chunk. */
import { mkdtemp, rmdir } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from '@platen/core/driver';
import { settledWithin } from '@platen/core/plugin';
import { connectPooledReader } from '../frames/pooledReader.js';

export interface StdoutSocket {
  /** The program's stdout; destroy it here once the program has started. */
  readonly childEnd: Socket;
  /** The program's output. A chunk is overwritten when the next one is read. */
  readonly chunks: AsyncIterable<Uint8Array>;
  destroy(): void;
}

/** Two ends in one process connect at once, or never. */
const CONNECT_MS = 5_000;

/** @returns undefined if the system has no such sockets, or no more descriptors */
export async function openStdoutSocket(): Promise<StdoutSocket | undefined> {
  const server = createServer({ pauseOnConnect: true });
  // The socket has a name only while it connects, in a folder that other accounts cannot enter.
  const folder = await mkdtemp(join(tmpdir(), 'platen-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  try {
    return await connected(server, join(folder, 'stdout'));
  } catch {
    return undefined;
  } finally {
    server.close(); // removes the name and needs no descriptor
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
  // Without a free descriptor to accept it, the connection is closed without an error.
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
