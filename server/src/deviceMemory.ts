/** The scanners that were known when the service last ran, in a file of the data folder. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, readDevice, type Device, type DeviceMemory, type Log } from '@platen/core';

/** A file with more is not ours. */
const MOST_BYTES = 4 * 1024 * 1024;

export interface OpenDeviceMemory extends DeviceMemory {
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

/** What is wrong with the file is said in the log, and costs a look: nothing is remembered then. */
export async function openDeviceMemory(dataDir: string, log: Log): Promise<OpenDeviceMemory> {
  const file = join(dataDir, 'scanners.json');
  let writing: Promise<void> = Promise.resolve();

  async function write(text: string): Promise<void> {
    try {
      // The name is never that of a file which is only half there.
      await writeFile(`${file}.new`, text, { mode: 0o600 });
      await rename(`${file}.new`, file);
    } catch (error) {
      log.warn(
        `The known scanners could not be written to ${file}: ${messageOf(error)}. After a restart they are looked for again.`,
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
    if (typeof drivers !== 'object' || drivers === null) throw new Error('it holds no object');
    return new Map(
      Object.entries(drivers).map(([driver, devices]) => [
        driver,
        Array.isArray(devices) ? devices.flatMap(deviceOf) : [],
      ]),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      log.warn(
        `The scanners of the last run could not be read from ${file}: ${messageOf(error)}. They are looked for again.`,
      );
    return new Map();
  }
}

/** As what a driver hands over is read; what is none is looked for again. */
function deviceOf(value: unknown): Device[] {
  try {
    return [readDevice(value)];
  } catch {
    return [];
  }
}
