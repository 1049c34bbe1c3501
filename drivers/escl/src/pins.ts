/** Which certificate each device showed when it was first met: a self-signed one is trusted from then on, and no other. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createMutex } from '@platen/core/plugin';
import { EsclFault } from './esclFault.js';

export interface Pins {
  /** Where they are kept, for people. */
  readonly file: string;
  /**
   * Whether this is the device's certificate; remembers it when there was none.
   * @param fingerprint SHA-256, as Node writes it
   */
  accepts(deviceId: string, fingerprint: string): Promise<boolean>;
}

export function createPins(file: string): Pins {
  const alone = createMutex();

  async function read(): Promise<Record<string, string>> {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
      throw error;
    }
    let pins: unknown;
    try {
      pins = JSON.parse(text);
    } catch {
      // Advertised below.
    }
    if (typeof pins !== 'object' || pins === null || Array.isArray(pins)) {
      throw new EsclFault('not trusted', `the fingerprints of known certificates cannot be read: remove ${file}, and every scanner is trusted anew`);
    }
    return pins as Record<string, string>;
  }

  async function check(deviceId: string, fingerprint: string): Promise<boolean> {
    const pins = new Map(Object.entries(await read()));
    const pinned = pins.get(deviceId);
    if (pinned !== undefined) return pinned === fingerprint;
    pins.set(deviceId, fingerprint);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(`${file}.new`, `${JSON.stringify(Object.fromEntries(pins), undefined, 2)}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return true;
  }

  return {
    file,
    accepts(deviceId, fingerprint) {
      // Two devices that are met at once are both remembered.
      return alone(() => check(deviceId, fingerprint));
    },
  };
}
