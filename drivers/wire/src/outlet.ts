/** A program's standard output as a socket, at whose near end it arrives in one buffer instead of a new one for each chunk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInflow } from './inflow.js';
import { deferred } from './waiting.js';

export interface Outlet {
  /** What the program gets as its standard output; to be destroyed here once it has it. */
  readonly inlet: Socket;
  /** What it writes. A chunk is overwritten when the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  destroy(): void;
}

/** @returns undefined where the system has no such sockets */
export async function openOutlet(): Promise<Outlet | undefined> {
  const server = createServer({ pauseOnConnect: true });
  // The socket has a name for as long as it takes to connect, in a folder that nobody else can enter.
  const folder = await mkdtemp(join(tmpdir(), 'platen-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  try {
    return await connected(server, join(folder, 'outlet'));
  } catch {
    return undefined;
  } finally {
    server.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function connected(server: ReturnType<typeof createServer>, path: string): Promise<Outlet> {
  const { promise: accepted, resolve: accept, reject: refuse } = deferred<Socket>();
  server.on('error', refuse).once('connection', accept);
  const { promise: listening, resolve: listen } = deferred<void>();
  server.listen(path, () => listen());
  await Promise.race([listening, accepted]);

  const { socket, chunks } = connectInflow(path);
  socket.on('error', refuse);
  return { inlet: await accepted, chunks: chunks(), destroy: () => void socket.destroy() };
}
