/** The scanners known from the last run of the service, in a file of the data folder. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, readDevice, type Device, type DeviceMemory, type Log } from '@platen/core';

/** A larger file is not Platen's. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface OpenDeviceMemory extends DeviceMemory {
  /** Resolves when all is written. */
  close(): Promise<void>;
}

/** Logs a fault of the file and remembers nothing then, which costs one search. */
export async function openDeviceMemory(dataDir: string, log: Log): Promise<OpenDeviceMemory> {
  const file = join(dataDir, 'scanners.json');
  let writing: Promise<void> = Promise.resolve();

  async function write(text: string): Promise<void> {
    try {
      // A rename never leaves half a file under this name.
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      log.warn(
        `Could not write the known scanners to ${file}: ${messageOf(error)}. After a restart, Platen searches for them again.`,
      );
    }
  }

  return {
    remembered: await read(file, log),
    keep(devices) {
      const text = `${JSON.stringify(Object.fromEntries([...devices].filter(([, list]) => list.length > 0)), undefined, 2)}\n`;
      writing = writing.then(() => write(text));
    },
    close: () => writing,
  };
}

async function read(file: string, log: Log): Promise<ReadonlyMap<string, readonly Device[]>> {
  try {
    const text = await readFile(file, 'utf8');
    if (text.length > MOST_BYTES) throw new Error('it is too large');
    const drivers: unknown = JSON.parse(text);
    if (typeof drivers !== 'object' || drivers === null) throw new Error('it is not a JSON object');
    return new Map(
      Object.entries(drivers).map(([driver, devices]) => [
        driver,
        Array.isArray(devices) ? devices.flatMap(deviceOf) : [],
      ]),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn(
        `Could not read the scanners of the last run from ${file}: ${messageOf(error)}. Searching for them again.`,
      );
    return new Map();
  }
}

/** Checked like a driver's list; any other value is skipped. */
function deviceOf(value: unknown): Device[] {
  try {
    return [readDevice(value)];
  } catch {
    return [];
  }
}
