/**
 * One service on one data folder, one desktop application on one channel. A lock is a socket that its holder listens
 * on: it ends with its process, however that ends, and answers who holds it. What a killed holder leaves is a file that
 * nobody listens behind.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, linkSync, lstatSync, mkdtempSync, realpathSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { askHolder, type Holder } from './lockHolder.js';
import { ConfigError, systemCode } from './error.js';
import { dataFolderSentence } from './dataFolder.js';
import { secretOf } from './dataFolderMark.js';

export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
  readonly code = 'data-folder-in-use';

  constructor(dir: string, pid: number | undefined) {
    const who = pid === undefined ? 'another service' : `another service (process ${pid})`;
    super(`The data folder ${dir} is in use by ${who}; stop that one, or name another folder in PLATEN_DATA_DIR.`);
  }
}

export class ChannelInUse extends Error {
  override readonly name = 'ChannelInUse';
  readonly code = 'channel-in-use';
  /** For a sentence. */
  readonly holder: string;

  constructor(channel: string, pid: number | undefined) {
    const holder = pid === undefined ? 'another desktop application' : `another desktop application (process ${pid})`;
    super(
      `The channel ${channel} is served by ${holder}; stop that one, or name another channel in both configurations.`,
    );
    this.holder = holder;
  }
}

/** Somebody holds the lock; who, if that one says so. */
class Held extends Error {
  readonly pid: number | undefined;

  constructor(pid: number | undefined) {
    super('held');
    this.pid = pid;
  }
}

/** A socket's path has 104 bytes on macOS and 108 on Linux, a zero at the end included. */
const LONGEST_PATH = 103;
/** A file behind which nobody listens is stale when this time later nobody does still. */
const STALE_MS = 50;
/** How long a taken-over lock is watched for somebody who took it over in the same instant. */
const SETTLE_MS = 100;

/**
 * @param dir an existing folder
 * @returns what gives the lock back; idempotent
 * @throws {DataFolderInUse} naming the folder and the other's process
 */
export async function lockDataFolder(dir: string): Promise<() => Promise<void>> {
  return lock(dir, 'lock.sock', realpathSync(dir), pid => new DataFolderInUse(dir, pid));
}

/**
 * @param dir the data folder, which exists
 * @returns what gives the lock back; idempotent
 * @throws {ChannelInUse} naming the other's process
 */
export async function lockChannel(dir: string, channel: string): Promise<() => Promise<void>> {
  return lock(dir, `host-${channel}.sock`, `${realpathSync(dir)}\0${channel}`, pid => new ChannelInUse(channel, pid));
}

/** Who holds the data folder, without taking it. @param dir an existing folder */
export async function dataFolderHolder(dir: string): Promise<Holder> {
  return process.platform === 'win32'
    ? askHolder(pipeOf(hashOf(dir, realpathSync(dir))))
    : withShortPath(join(dir, 'lock.sock'), askHolder);
}

/** @param what tells this lock from all others of this computer */
async function lock(
  dir: string,
  file: string,
  what: string,
  refusal: (pid: number | undefined) => Error,
): Promise<() => Promise<void>> {
  const server = createServer(socket => {
    socket.on('error', () => socket.destroy());
    socket.end(`${process.pid}\n`);
  });
  // A lock does not keep a process alive that has nothing else to do.
  server.unref();
  try {
    return process.platform === 'win32'
      ? await lockPipe(server, pipeOf(hashOf(dir, what)))
      : await lockFile(server, join(dir, file));
  } catch (error) {
    server.close();
    if (error instanceof Held) throw refusal(error.pid);
    throw new ConfigError(dataFolderSentence(dir, error), { cause: error });
  }
}

/** Windows: a pipe's name is the lock; the system takes it back with the process. Wine lets two have one name: so it is looked for first. */
async function lockPipe(server: Server, pipe: string): Promise<() => Promise<void>> {
  const before = await askHolder(pipe);
  if (before.alive) throw new Held(before.pid);
  try {
    await listen(server, pipe);
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE' && systemCode(error) !== 'EACCES') throw error;
    const holder = await askHolder(pipe);
    throw new Held(holder.alive ? holder.pid : undefined);
  }
  return () => close(server);
}

/**
 * POSIX: the server listens under a name of its own first, and then gets the lock's name by a hard link, which is
 * exclusive and never shows a socket that does not answer yet. (And closing a server unlinks the name that it listened
 * on, whoever has that name by then.)
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

/** Every account sees the names of pipes: this one comes from what only those can read who may look into the data folder. */
function hashOf(dir: string, what: string): string {
  return createHash('sha256')
    .update(`${what}\0${secretOf(dir)}`)
    .digest('hex')
    .slice(0, 20);
}

const pipeOf = (hash: string): string => `\\\\.\\pipe\\platen-${hash}`;

/**
 * A socket's path is short, whatever the folder's is: a link in a folder of a moment leads there. So the socket lies in the data folder, where nobody else can be before it.
 * @param use listens there, or connects, before it comes back
 */
async function withShortPath<T>(path: string, use: (short: string) => Promise<T>): Promise<T> {
  if (Buffer.byteLength(path) <= LONGEST_PATH) return use(path);
  const folder = mkdtempSync(join(tmpdir(), 'platen-'));
  const link = join(folder, 'd');
  try {
    symlinkSync(dirname(path), link);
    return await use(join(link, basename(path)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
    if (holder.alive) throw new Held(holder.pid);
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

function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

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
