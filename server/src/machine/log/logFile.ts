/**
 * The log file: the lines of standard error as JSON, in the data folder, bounded in size and number.
 *
 * It writes synchronously, because the last lines before a crash matter most. A line that cannot be written is lost and
 * stops nothing.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../configError.js';

export interface LogFileLimits {
  /** A file is not continued beyond this size. */
  readonly fileBytes: number;
  /** The one that is written, and those before it. */
  readonly files: number;
}

export interface LogFile {
  /** @param line ends with a line feed. Never throws */
  write(line: string): void;
  close(): void;
}

const FOLDER = 'logs';
const name = /^platen(?:\.([1-9]\d{0,3}))?\.log$/;

/** @param age 0: the one that is written; 1: the one before */
const nameOf = (age: number): string => (age === 0 ? 'platen.log' : `platen.${age}.log`);

/** The files that are there, oldest first. @throws the operating system's error */
export function logFilesIn(dataDir: string): string[] {
  const folder = join(dataDir, FOLDER);
  return agesIn(folder)
    .sort((a, b) => b - a)
    .map(age => join(folder, nameOf(age)));
}

/**
 * Opens nothing before the first line.
 * @param failed takes one sentence, the first time that a line cannot be written
 */
export function openLogFile(
  dataDir: string,
  { fileBytes, files }: LogFileLimits,
  failed: (sentence: string) => void,
): LogFile {
  const folder = join(dataDir, FOLDER);
  const pathOf = (age: number): string => join(folder, nameOf(age));
  let file: number | undefined;
  let isTold = false;
  /** Larger than the limit after a rotation that failed. */
  let full = fileBytes;

  const close = (): void => {
    if (file === undefined) return;
    const closing = file;
    file = undefined;
    closeSync(closing);
  };

  const open = (): number => {
    ownFolder(folder);
    for (const age of agesIn(folder)) if (age >= files) rmSync(pathOf(age), { force: true });
    const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW = 0 } = constants;
    file = openSync(pathOf(0), O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
    const { mode, size } = fstatSync(file);
    if ((mode & 0o777) !== 0o600) fchmodSync(file, 0o600);
    if (size > 0 && lastByte(file, size) !== LINE_FEED) writeSync(file, '\n');
    return file;
  };

  /** Moves only what is below the first gap: a rotation that failed halfway loses nothing when it is repeated. */
  const rotate = (size: number): void => {
    close();
    try {
      let gap = 1;
      while (gap < files - 1 && statSync(pathOf(gap), { throwIfNoEntry: false })) gap++;
      if (files === 1) rmSync(pathOf(0));
      else for (let age = gap; age > 0; age--) renameSync(pathOf(age - 1), pathOf(age));
      full = fileBytes;
    } catch {
      // Another program holds it, as it can on Windows.
      full = size + fileBytes / 4;
      if (size < 2 * fileBytes) return;
      ftruncateSync(open(), 0);
      full = fileBytes;
    }
  };

  const put = (line: string): void => {
    let bytes: Uint8Array = Buffer.from(line);
    if (bytes.length > fileBytes) bytes = Buffer.from(tooLong(bytes.length));
    // Another program may have removed or moved it.
    if (file !== undefined && statSync(pathOf(0), { throwIfNoEntry: false })?.ino !== fstatSync(file).ino) close();
    const { size } = fstatSync(file ?? open());
    if (size > 0 && size + bytes.length > full) rotate(size);
    const to = file ?? open();
    for (let at = 0; at < bytes.length;) at += writeSync(to, bytes, at);
  };

  return {
    write(line) {
      try {
        put(line);
      } catch (error) {
        try {
          close();
        } catch {
          // It is closed, whatever the system says.
        }
        if (isTold) return;
        isTold = true;
        failed(
          `The log file ${pathOf(0)} cannot be written (${systemCode(error) ?? String(error)}): lines are missing there until it can be. Free space on its disk, or give the service's account write access to that folder. To write no log file, set "log.file": false.`,
        );
      }
    },
    close,
  };
}

const LINE_FEED = 10;

function lastByte(file: number, size: number): number {
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, size - 1);
  return byte[0]!;
}

const tooLong = (length: number): string =>
  `${JSON.stringify({ level: 40, time: new Date().toISOString(), part: 'service', msg: `A line of ${length} bytes is on standard error only.` })}\n`;

function agesIn(folder: string): number[] {
  return readdirSync(folder).flatMap(each => {
    const found = name.exec(each);
    return found ? [Number(found[1] ?? 0)] : [];
  });
}

/** The data folder is not created: it is there, or was removed. @throws also if it is a link or another account's */
function ownFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(folder);
  if (!found.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  if (process.geteuid !== undefined && found.uid !== process.geteuid())
    throw Object.assign(new Error(), { code: 'EPERM' });
  if ((found.mode & 0o777) !== 0o700) chmodSync(folder, 0o700);
}
