/** The end of a socket at which a program's output arrives in one buffer, used again and again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deferred } from './waiting.js';

/** More than a socket of Linux holds. */
const BUFFER_BYTES = 256 * 1024;

export interface Outlet {
  /** What the program gets as its standard output; to be destroyed here once it has it. */
  readonly inlet: Socket;
  /** What it writes. A chunk is overwritten when the next one is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>;
  destroy(): void;
}

/**
 * Node's own pipe to a program allocates 64 KiB for each chunk, and a page has four hundred: most of what a scan costs
 * is then to collect them.
 * @returns undefined where the system has no such sockets
 */
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

  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let chunk: Uint8Array | undefined;
  let over = false;
  let wake = (): void => undefined;
  // One chunk at a time: false pauses the socket until the next one is asked for.
  const callback = (length: number): boolean => {
    chunk = buffer.subarray(0, length);
    wake();
    return false;
  };
  const socket = connect({ path, onread: { buffer, callback } });
  socket.on('error', refuse).on('close', () => {
    over = true;
    wake();
  });

  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      while (!chunk && !over) await new Promise<void>(resolve => (wake = resolve));
      if (!chunk) return;
      const taken = chunk;
      chunk = undefined;
      yield taken;
      socket.resume();
    }
  }

  return { inlet: await accepted, chunks: chunks(), destroy: () => void socket.destroy() };
}
