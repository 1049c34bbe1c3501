/** The certificate of each device, pinned on first use: from then on that one is trusted, and no other. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createMutex } from '@platen/core/driver';
import { EsclError } from './esclError.js';

export interface CertificatePins {
  /** The path of the file, for messages. */
  readonly file: string;
  /**
   * Whether this is the device's certificate. The first one of a device is stored and accepted.
   * @param fingerprint SHA-256, as Node writes it
   */
  accepts(deviceId: string, fingerprint: string): Promise<boolean>;
}

export function createCertificatePins(file: string): CertificatePins {
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
      throw new EsclError(
        'untrusted',
        `the fingerprints of known certificates cannot be read: remove ${file} to trust the scanners again`,
      );
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
      // In turn: of two devices checked at once, both are stored.
      return alone(() => check(deviceId, fingerprint));
    },
  };
}
