/** `scanimage` on the feeder of SANE's test backend, and how long it takes. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SHEETS } from '../sane/testBackend.js';

export interface Batch {
  /** SANE's. */
  readonly configDir: string;
  readonly resolution: number;
  readonly format: 'jpeg' | 'pnm';
  /** A folder for the pages, each named by its number; without one, they are removed. */
  readonly save?: string;
}

/** A4 in color. libjpeg's default, which scanimage does not change, is quality 75 at half the color resolution. */
export const SCANIMAGE_QUALITY = 75;

/** What scanimage calls an A4 page in color from a feeder. */
export const feederArgs = (resolution: number, source: string): string[] =>
  ['--source', source, '--mode', 'Color', '--resolution', `${resolution}`].concat([
    '-l',
    '0',
    '-t',
    '0',
    '-x',
    '210',
    '-y',
    '297',
  ]);

/**
 * About once in seventy starts, the backend's reader thread ends with a lock of the dynamic linker held: scanimage
 * hangs.
 */
const HANGS_MS = 20_000;

/**
 * Scans all sheets; again, if it hangs.
 * @returns milliseconds
 * @throws unless it writes every page
 */
export async function timeScanimage({ configDir, resolution, format, save }: Batch): Promise<number> {
  const out = save ?? (await mkdtemp(join(tmpdir(), 'platen-scanimage-')));
  const args = ['-d', 'test:0', '--depth', '8', ...feederArgs(resolution, 'Automatic Document Feeder')];
  for (;;) {
    const began = performance.now();
    const ended = await promisify(execFile)(
      'scanimage',
      [...args, `--format=${format}`, `--batch=${join(out, '%d')}`],
      {
        env: { ...process.env, SANE_CONFIG_DIR: configDir },
        timeout: HANGS_MS,
        killSignal: 'SIGKILL',
        // Some versions report the end of the paper as a failure.
      },
    ).catch((error: unknown) => error as { killed?: boolean });
    const ms = performance.now() - began;
    if ('killed' in ended && ended.killed) continue;
    if (!existsSync(join(out, String(SHEETS)))) throw new Error(`scanimage did not write ${SHEETS} pages.`);
    if (save === undefined) await rm(out, { recursive: true });
    return ms;
  }
}
