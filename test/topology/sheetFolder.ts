/** A folder that acts as a feeder, for the simulated scanners of SANE and ImageCaptureCore: a file is a sheet. */
import { readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { millimetres } from '@platen/core/driver';
import { nextSheet } from './fixture.js';
import { inks, type Sheet } from './sheets.js';

/** Inserts sheets. Each file is renamed into place, so that it appears complete. */
export async function insertSheets(tray: string, sheets: readonly Sheet[]): Promise<void> {
  for (const { front, back, size = 'Letter' } of sheets) {
    const { width, height } = millimetres[size];
    const lines = [
      `size ${width} ${height}`,
      `front ${inks[front].join(' ')}`,
      ...(back === undefined ? [] : [`back ${inks[back].join(' ')}`]),
    ];
    const file = nextSheet();
    await writeFile(join(tray, `.${file}`), lines.join('\n'));
    await rename(join(tray, `.${file}`), join(tray, file));
  }
}

/** Zero if the folder does not exist. */
export async function countSheets(folder: string): Promise<number> {
  return (await readdir(folder).catch(() => [])).filter(name => !name.startsWith('.')).length;
}
