/** The secret of a channel: a file in the data folder of both ends, made by the end that starts first. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { platform as thisPlatform } from '@platen/driver-kit';
import { ChannelError, systemCode } from './channelError.js';

const SECRET_BYTES = 32;
/** On a disk without hard links a new file is visible before its content. It may be empty for this long. */
const UNFINISHED_MS = 1000;

export interface SecretOptions {
  readonly platform?: NodeJS.Platform;
  /** 1000 when absent; for tests. */
  readonly unfinishedMs?: number;
}

export const secretFile = (dataDir: string): string => join(dataDir, 'channel.secret');

/**
 * @returns 32 bytes; the file is created if it does not exist
 * @throws {ChannelError} `channel-secret` if the file cannot be used, or others may know its content
 */
export async function channelSecret(dataDir: string, options: SecretOptions = {}): Promise<Uint8Array> {
  const path = secretFile(dataDir);
  try {
    return (
      (await readSecret(path, options)) ??
      (await makeSecret(path)) ??
      (await readSecret(path, options)) ??
      refuse(path, 'it comes and goes')
    );
  } catch (error) {
    if (error instanceof ChannelError) throw error;
    return refuse(path, `the operating system says ${systemCode(error) ?? String(error)}`, error);
  }
}

function refuse(path: string, why: string, cause?: unknown): never {
  throw new ChannelError(
    'channel-secret',
    `The secret of the channel to the desktop application, ${path}, cannot be used: ${why}.`,
    { cause },
  );
}

const AGAIN = 'delete it, and start the service and the desktop application again';

/** @returns undefined if there is no file */
async function readSecret(
  path: string,
  { platform = thisPlatform, unfinishedMs = UNFINISHED_MS }: SecretOptions,
): Promise<Uint8Array | undefined> {
  const until = performance.now() + unfinishedMs;
  for (;;) {
    const file = await openToRead(path);
    if (!file) return undefined;
    try {
      const found = await file.stat();
      if (!found.isFile()) return refuse(path, `it is not a file: ${AGAIN}`);
      if (platform !== 'win32' && found.uid !== process.geteuid?.())
        return refuse(path, `it belongs to another account: ${AGAIN}`);
      if (platform !== 'win32' && (found.mode & 0o077) !== 0)
        return refuse(path, `other accounts may have read it: ${AGAIN}`);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(SECRET_BYTES * 4), 0, SECRET_BYTES * 4, 0);
      const text = buffer.toString('latin1', 0, bytesRead);
      if (/^[0-9a-f]{64}\n$/.test(text)) return Buffer.from(text.trimEnd(), 'hex');
      if (!/^[0-9a-f]{0,64}$/.test(text) || performance.now() >= until)
        return refuse(path, `its content is not such a secret: ${AGAIN}`);
    } finally {
      await file.close();
    }
    await sleep(20);
  }
}

/** Follows no symbolic link, and does not wait for a pipe. @returns undefined if there is no file */
async function openToRead(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    if (systemCode(error) === 'ELOOP') return refuse(path, `it is a symbolic link: ${AGAIN}`);
    throw error;
  }
}

/** Of two processes that make it at once, one succeeds. @returns undefined to the other one */
async function makeSecret(path: string): Promise<Uint8Array | undefined> {
  const secret = randomBytes(SECRET_BYTES);
  const own = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeNew(own, secret);
    await link(own, path).catch(async (error: unknown) => {
      if (systemCode(error) === 'EEXIST') throw error;
      await writeNew(path, secret); // no hard links here
    });
    return secret;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return undefined;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
}

async function writeNew(path: string, secret: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${Buffer.from(secret).toString('hex')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
