/** Keeps encoded pages until they are sent: in memory up to a limit, then on disk, readable by the owner only. */
import { randomUUID } from 'node:crypto';
import { access, constants, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ScanError } from '../contract/errors.js';
import { openSpoolFolder } from './spoolFolder.js';

export interface KeptBytes {
  readonly size: number;
  /**
   * Yields slices of `sliceBytes`, the last one shorter. The next request overwrites the slice.
   * @param start the first byte, 0 if absent
   * @param end the byte after the last one, `size` if absent
   */
  read(sliceBytes: number, start?: number, end?: number): AsyncIterable<Uint8Array>;
}

/** The pages of one answer. */
export interface Shelf {
  /**
   * Always keeps the bytes. If writing to disk fails, they stay in memory and `problem` gives the reason:
   * the caller should stop feeding the shelf.
   */
  put(bytes: Uint8Array): Promise<{ kept: KeptBytes; problem?: ScanError }>;
  /** Frees everything on it. */
  clear(): Promise<void>;
}

export interface Spool {
  /** @param where `disk`: its pages take no memory; absent: in memory up to the limit */
  shelf(where?: 'disk'): Shelf;
  /** Bytes that it keeps. */
  readonly used: { readonly memory: number; readonly disk: number };
  /** @throws if the folder cannot be used */
  check(): Promise<void>;
}

/**
 * Opens the spool in its own folder and removes pages that a previous service left there.
 * @param memoryBytes limit for all shelves together
 * @throws if the folder cannot be created or has another owner
 */
export async function openSpool(folder: string, memoryBytes: number): Promise<Spool> {
  await openSpoolFolder(folder);
  let inMemory = 0;
  let onDisk = 0;

  const shelf = (where?: 'disk'): Shelf => {
    let mine = 0;
    let written = 0;
    const files: string[] = [];
    const writing = new Set<Promise<unknown>>();
    const inHand = (bytes: Uint8Array): KeptBytes => {
      mine += bytes.byteLength;
      inMemory += bytes.byteLength;
      return {
        size: bytes.byteLength,
        read: (sliceBytes, start, end) => slices(bytes.subarray(start, end), sliceBytes),
      };
    };
    const toDisk = async (bytes: Uint8Array): Promise<{ kept: KeptBytes; problem?: ScanError }> => {
      const file = join(folder, randomUUID());
      files.push(file);
      try {
        await writeFile(file, bytes, { mode: 0o600, flag: 'wx' });
      } catch (error) {
        await rm(file, { force: true }).catch(() => undefined);
        return { kept: inHand(bytes), problem: writingFailed(folder, error) };
      }
      written += bytes.byteLength;
      onDisk += bytes.byteLength;
      return {
        kept: { size: bytes.byteLength, read: (sliceBytes, start, end) => fileSlices(file, sliceBytes, start, end) },
      };
    };
    return {
      async put(bytes) {
        if (where !== 'disk' && inMemory + bytes.byteLength <= memoryBytes) return { kept: inHand(bytes) };
        const work = toDisk(bytes);
        writing.add(work);
        return work.finally(() => writing.delete(work));
      },
      async clear() {
        await Promise.allSettled(writing);
        inMemory -= mine;
        mine = 0;
        onDisk -= written;
        written = 0;
        await Promise.all(files.splice(0).map(file => rm(file, { force: true }).catch(() => undefined)));
      },
    };
  };

  return {
    shelf,
    get used() {
      return { memory: inMemory, disk: onDisk };
    },
    check: () => access(folder, constants.R_OK | constants.W_OK | constants.X_OK),
  };
}

/** @returns a failure whose sentence says what to do */
export function writingFailed(folder: string, error: unknown): ScanError {
  const fix = fixes[(error as { code?: string } | null)?.code ?? ''] ?? 'See that the folder exists and is writable.';
  const text = `Could not write scanned pages to ${folder}: ${messageOf(error)}. ${fix}`;
  return new ScanError('storage-failed', text, { cause: error });
}

const FREE_SPACE = 'Free space on that disk.';
const ALLOW = "Give the service's account write access to that folder.";
const fixes: Readonly<Record<string, string>> = {
  ENOSPC: FREE_SPACE,
  EDQUOT: FREE_SPACE,
  EFBIG: FREE_SPACE,
  EROFS: 'That disk is read-only: make it writable.',
  EACCES: ALLOW,
  EPERM: ALLOW,
};

/** Bytes that are read at a time. */
const SLICE_BYTES = 512 * 1024;

/** @throws the signal's reason, what reading throws, and `storage-failed` for fewer or more bytes than the size */
export async function wholeOf(kept: KeptBytes, signal?: AbortSignal): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(kept.size);
  let at = 0;
  for await (const slice of kept.read(SLICE_BYTES)) {
    signal?.throwIfAborted();
    if (at + slice.byteLength <= kept.size) bytes.set(slice, at);
    at += slice.byteLength;
  }
  // Decoders fill in what is missing.
  if (at === kept.size) return bytes;
  throw new ScanError(
    'storage-failed',
    `A stored page has ${at} bytes instead of ${kept.size}. Scan that sheet again.`,
  );
}

export async function* slices(bytes: Uint8Array, sliceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/**
 * Two alternating buffers: one is filled while the other is used.
 * @param start the first byte
 * @param end the byte after the last one
 */
export async function* fileSlices(
  path: string,
  sliceBytes: number,
  start = 0,
  end = Infinity,
): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  let at = start;
  const fill = async (slice: Buffer): Promise<Buffer> => {
    let filled = 0;
    while (filled < slice.length && at < end) {
      const { bytesRead } = await file.read(slice, filled, Math.min(slice.length - filled, end - at), at);
      if (bytesRead === 0) break;
      filled += bytesRead;
      at += bytesRead;
    }
    return slice.subarray(0, filled);
  };
  const [even, odd] = [Buffer.allocUnsafeSlow(sliceBytes), Buffer.allocUnsafeSlow(sliceBytes)];
  let next = fill(even);
  try {
    for (let into = odd; ; into = into === odd ? even : odd) {
      const slice = await next;
      if (slice.length === sliceBytes) next = fill(into);
      if (slice.length > 0) yield slice;
      if (slice.length < sliceBytes) return;
    }
  } finally {
    await next.catch(() => undefined);
    await file.close();
  }
}
