/** The desktop application's end of a channel: listens, and passes on the streams whose other ends have proved themselves. */
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

/** Of more connections in their challenge than this, the oldest is closed: the service's takes a moment only. */
const MOST_UNPROVEN = 16;

export interface ListenOptions extends Channel {
  readonly log: Log;
  /** Gets each stream whose other end has proved itself, and owns it. */
  onStream(stream: Socket): void;
  /**
   * Called once when it listens: restricts who may connect to the address, where a mode does not. Connections that fail
   * meanwhile are not logged: it may need one of its own.
   */
  restrict?(address: string): Promise<void>;
}

export interface Listening {
  readonly address: string;
  /** Idempotent. Leaves the streams that were passed on alone. */
  close(): Promise<void>;
}

/**
 * The caller holds a lock on the channel: a socket that an earlier process left at the address is replaced.
 * @throws {ChannelError}
 */
export async function listenChannel({
  name,
  dataDir,
  challengeMs = CHALLENGE_MS,
  log,
  onStream,
  restrict,
}: ListenOptions): Promise<Listening> {
  const address = channelAddress({ name, dataDir, secret: await channelSecret(dataDir) });
  const once = onceLog(log);
  const unproven = new Set<Socket>();
  let closed = false;
  let restricting = restrict !== undefined;

  async function take(socket: Socket): Promise<void> {
    socket.on('error', () => undefined);
    const early = restricting;
    unproven.add(socket);
    for (const oldest of [...unproven].slice(0, -MOST_UNPROVEN)) oldest.destroy();
    try {
      // The file may have been replaced since the last connection.
      await challenge(socket, {
        end: 'desktop',
        secret: await channelSecret(dataDir),
        ms: challengeMs,
        read: length => readExactly(socket, length),
      });
      once.again();
      onStream(socket);
    } catch (error) {
      socket.destroy();
      if (closed || early) return;
      const who = `A process that connected to ${address} is not Platen's service, or its secret differs from ${secretFile(dataDir)}; it was rejected`;
      once.warn(error instanceof ChannelError ? error.message : `${who}: ${messageOf(error)}.`);
    } finally {
      unproven.delete(socket);
    }
  }

  const server = createServer(socket => void take(socket));
  try {
    const unlink = await listen(server, address);
    await restrict?.(address);
    restricting = false;
    return {
      address,
      async close() {
        if (closed) return;
        closed = true;
        for (const each of unproven) each.destroy();
        await unlink();
        // It is not awaited: it ends with the last stream that was passed on.
        server.close();
      },
    };
  } catch (error) {
    server.close();
    throw new ChannelError(
      'channel-taken',
      `The channel's name ${address} cannot be used: the operating system says ${systemCode(error) ?? messageOf(error)}.`,
      { cause: error },
    );
  }
}

/** @returns a function that removes the name again */
async function listen(server: Server, address: string): Promise<() => Promise<void>> {
  if (platform === 'win32') {
    await listening(server, address);
    return async () => undefined;
  }
  // The socket gets its name only when no other account can open it.
  const own = `${address}.${randomBytes(SUFFIX_BYTES)
    .toString('hex')
    .slice(0, SUFFIX_BYTES - 1)}`;
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
      // A connection that cannot be accepted does not end the server.
      server.on('error', () => undefined);
      resolve();
    });
  });
}
