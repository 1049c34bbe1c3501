/**
 * The locks: one service per data folder, one desktop application per channel. A lock is a socket on which its holder
 * listens: it ends with the process, however that ends, and answers with the holder's process id and what it is. A
 * killed holder leaves a socket file on which nothing listens.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerOf, askHolder, type Holder, type LiveHolder, type Use } from './lockHolder.js';
import { ConfigError, systemCode } from '../configError.js';
import { platform } from '../platform.js';
import { dataFolderSentence } from './dataFolder.js';
import { pipeOf, unlinkQuietly, withShortPath } from './sockets.js';

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly code = 'data-folder-in-use';
  readonly holder: LiveHolder;

  constructor(dir: string, holder: LiveHolder) {
    const what = holder.use?.use === 'scan' ? 'another scan' : 'another service';
    const who = holder.pid === undefined ? what : `${what} (process ${holder.pid})`;
    super(`The data folder ${dir} is in use by ${who}. Stop that one, or set PLATEN_DATA_DIR to another folder.`);
    this.holder = holder;
  }
}

export class ChannelInUse extends Error {
  override readonly name = 'ChannelInUse';
  readonly code = 'channel-in-use';
  /** The other one, for a sentence. */
  readonly holder: string;

  constructor(channel: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another desktop application' : `another desktop application (process ${pid})`;
    super(
      `The channel ${channel} is served by ${holder}. Stop that one, or set another channel in both configurations.`,
    );
    this.holder = holder;
  }
}

/** Another process holds the lock. */
class Held extends Error {
  readonly holder: LiveHolder;

  constructor(holder: LiveHolder) {
    super('held');
    this.holder = holder;
  }
}

/** A socket file is stale if nothing listens on it now or after this time. */
const STALE_MS = 50;
/** How long to watch a taken-over lock for another process that took it over at the same time. */
const SETTLE_MS = 100;

/**
 * @param dir an existing folder
 * @param use what this process is, for others who ask; called for each of them
 * @returns releases the lock; idempotent
 * @throws {DataFolderInUse} naming the folder and the other process
 */
export async function lockDataFolder(dir: string, use: () => Use | undefined = nothing): Promise<() => Promise<void>> {
  return lock(dir, 'lock.sock', realpathSync(dir), { use, refusal: holder => new DataFolderInUse(dir, holder) });
}

/**
 * @param dir the existing data folder
 * @returns releases the lock; idempotent
 * @throws {ChannelInUse} naming the other process
 */
export async function lockChannel(dir: string, channel: string): Promise<() => Promise<void>> {
  return lock(dir, `host-${channel}.sock`, `${realpathSync(dir)}\0${channel}`, {
    use: nothing,
    refusal: ({ pid }) => new ChannelInUse(channel, pid),
  });
}

/** Asks who holds the data folder, without locking it. @param dir an existing folder */
export async function dataFolderHolder(dir: string): Promise<Holder> {
  return platform === 'win32'
    ? askHolder(pipeOf(dir, realpathSync(dir)))
    : withShortPath(join(dir, 'lock.sock'), askHolder);
}

const nothing = (): undefined => undefined;

interface LockWords {
  use(): Use | undefined;
  refusal(holder: LiveHolder): Error;
}

/** @param what identifies this lock among all of the computer */
async function lock(
  dir: string,
  file: string,
  what: string,
  { use, refusal }: LockWords,
): Promise<() => Promise<void>> {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.end(answerOf(use()));
  });
  // A lock alone does not keep the process alive.
  server.unref();
  try {
    return platform === 'win32' ? await lockPipe(server, pipeOf(dir, what)) : await lockFile(server, join(dir, file));
  } catch (error) {
    server.close();
    if (error instanceof Held) throw refusal(error.holder);
    throw new ConfigError(dataFolderSentence(dir, error), { cause: error });
  }
}

/**
 * Windows: the pipe's name is the lock, which the system frees with the process. Wine lets two pipes share a name, so
 * look for one first.
 */
async function lockPipe(server: Server, pipe: string): Promise<() => Promise<void>> {
  const before = await askHolder(pipe);
  if (before.alive) throw new Held(before);
  try {
    await listen(server, pipe);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error;
    const holder = await askHolder(pipe);
    throw new Held(holder.alive ? holder : { alive: true, pid: undefined, use: undefined });
  }
  return () => close(server);
}

/**
 * POSIX: the server first listens under a unique name and then gets the lock's name by a hard link, which is exclusive
 * and never shows a socket that does not answer yet. (Closing a server unlinks the name that it listened on, even if
 * another process has that name by then.)
 */
async function lockFile(server: Server, path: string): Promise<() => Promise<void>> {
  const own = `${path}.${randomBytes(4).toString('hex')}`;
  await withShortPath(own, short => listen(server, short));
  const mine = identity(own);
  try {
    chmodSync(own, 0o600);
    await take(path, own);
  } finally {
    unlinkQuietly(own);
  }
  return async () => {
    if (server.listening && same(identity(path), mine)) unlinkQuietly(path);
    await close(server);
  };
}

async function take(path: string, own: string): Promise<void> {
  let stale: Identity | undefined;
  for (;;) {
    const mine = identity(own);
    try {
      linkSync(own, path);
      if (stale === undefined) return;
      await sleep(SETTLE_MS);
      if (same(identity(path), mine)) return;
      continue;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
    const found = identity(path);
    const holder = await withShortPath(path, askHolder);
    if (holder.alive) throw new Held(holder);
    if (stale === undefined || !same(found, stale)) {
      stale = found;
      await sleep(STALE_MS);
    } else if (same(identity(path), stale)) unlinkQuietly(path);
  }
}

interface Identity {
  readonly ino: bigint;
  readonly birth: bigint;
}

function identity(path: string): Identity | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { ino: found.ino, birth: found.birthtimeNs };
}

const same = (a: Identity | undefined, b: Identity | undefined): boolean =>
  a !== undefined && a.ino === b?.ino && a.birth === b.birth;

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function close(server: Server): Promise<void> {
  return new Promise(resolve => void server.close(() => resolve()));
}
