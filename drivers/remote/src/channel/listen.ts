/** The desktop application's end of a channel: listens, and hands on the streams whose other ends have proved themselves. */
import { randomBytes } from 'node:crypto';
import { chmod, lstat, rename, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { messageOf, type Log } from '@platen/core/plugin';
import { onceLog, platform, readExactly } from '@platen/driver-kit';
import { channelAddress, SUFFIX_BYTES } from './address.js';
import { challenge } from './challenge.js';
import { ChannelError, systemCode } from './channelError.js';
import { CHALLENGE_MS, type Channel } from './dial.js';
import { channelSecret, secretFile } from './secret.js';

/** Of more strangers than this, the one who has said nothing for longest goes: the service needs a moment only. */
const MOST_STRANGERS = 16;

export interface ListenOptions extends Channel {
  readonly log: Log;
  /** Gets each stream whose other end has proved itself; it is the callee's then. */
  onStream(stream: Socket): void;
}

export interface Listening {
  readonly address: string;
  /** Idempotent. Streams that were handed on are not its affair any more. */
  close(): Promise<void>;
}

/**
 * Whoever calls it holds a lock on the channel: what an earlier one left at its address is replaced.
 * @throws {ChannelError}
 */
export async function listenChannel({ name, dataDir, challengeMs = CHALLENGE_MS, log, onStream }: ListenOptions): Promise<Listening> {
  const address = channelAddress({ name, dataDir, secret: await channelSecret(dataDir) });
  const once = onceLog(log);
  const strangers = new Set<Socket>();
  let closed = false;

  async function take(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    strangers.add(socket);
    for (const oldest of [...strangers].slice(0, -MOST_STRANGERS)) oldest.destroy();
    try {
      // Read anew: the file may have been replaced since.
      await challenge(socket, { end: 'desktop', secret: await channelSecret(dataDir), ms: challengeMs, read: length => readExactly(socket, length) });
      once.again();
      onStream(socket);
    } catch (error) {
      socket.destroy();
      if (closed) return;
      const who = `Who connected at ${address} is not the service, or has another secret than ${secretFile(dataDir)}, and got nothing`;
      once.warn(error instanceof ChannelError ? error.message : `${who}: ${messageOf(error)}.`);
    } finally {
      strangers.delete(socket);
    }
  }

  const server = createServer(socket => void take(socket));
  try {
    const unlink = await listen(server, address);
    return {
      address,
      async close() {
        if (closed) return;
        closed = true;
        for (const each of strangers) each.destroy();
        await unlink();
        // Not its end: that waits for the streams that were handed on.
        server.close();
      },
    };
  } catch (error) {
    server.close();
    throw new ChannelError('channel-taken', `The channel's name ${address} cannot be used: the operating system says ${systemCode(error) ?? messageOf(error)}.`, { cause: error });
  }
}

/** @returns what takes the name back */
async function listen(server: Server, address: string): Promise<() => Promise<void>> {
  if (platform === 'win32') {
    await listening(server, address);
    return async () => undefined;
  }
  // Nobody sees the socket under its name before it is this account's alone.
  const own = `${address}.${randomBytes(SUFFIX_BYTES).toString('hex').slice(0, SUFFIX_BYTES - 1)}`;
  try {
    await listening(server, own);
    await chmod(own, 0o600);
    const mine = await lstat(own, { bigint: true });
    await rename(own, address);
    return async () => {
      const found = await lstat(address, { bigint: true }).catch(() => undefined);
      if (found?.ino === mine.ino && found.birthtimeNs === mine.birthtimeNs) await rm(address, { force: true });
    };
  } catch (error) {
    await rm(own, { force: true });
    throw error;
  }
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, () => {
      server.off('error', reject);
      // One connection that cannot be taken is no reason to end.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
