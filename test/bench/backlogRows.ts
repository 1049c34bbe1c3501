/**
 * Text of a fast feeder's pages, which takes longer than the feeder: the pages that wait are on disk, and all of them
 * are read at the engine's speed.
 */
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { RawPage } from '@platen/core/plugin';
import { lacking } from '@platen/conformance';
import sharp from 'sharp';
import { writtenSheets } from './codedSheets.js';
import { feed, MS_PER_SHEET, parameters, perMinute } from './feederRows.js';
import { table, verdict } from './numbers.js';
import { startEngine } from './ocrRows.js';
import { watchMemory, type Watched } from './watchMemory.js';

const IMAGES = 60;
const DIFFERENT = 3;
const MEMORY_MB = 400;
const SPEED = 0.95;

export async function backlogRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  if (lacking('tesseract')) return 'The rows of the backlog need tesseract (Debian: tesseract-ocr).';
  say(`drawing ${2 * DIFFERENT} sides of text`);
  const sheets = await writtenSheets(DIFFERENT);
  const sides = sheets.flatMap(({ front, back }) => [front, back]);
  const alone = await engineAlone(folder, sides);
  say(`the engine alone: ${alone.toFixed(1)} images a minute`);
  let memory: Watched | undefined;
  let most = 0;
  let endedFeeding = NaN;
  const began = performance.now();
  const fed = await feed(folder, {
    sheets,
    images: IMAGES,
    sheetMs: MS_PER_SHEET,
    wishes: { ...parameters, ocrEnabled: true },
    watch(service, device) {
      const done = watchMemory(service.pid);
      const start = performance.now();
      const looking = setInterval(() => {
        if (device.remaining() === 0 && Number.isNaN(endedFeeding)) endedFeeding = (performance.now() - start) / 1000;
        void bytesIn(join(service.dataDir, 'spool')).then(bytes => (most = Math.max(most, bytes)));
      }, 200);
      return () => {
        clearInterval(looking);
        memory = done();
      };
    },
  });
  say(`${IMAGES} images with text in ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const { bytes, own } = memory ?? { bytes: NaN, own: NaN };
  if (fed.found.some(({ text }) => text.split(/\s+/).length < 500)) throw new Error('A page was not read.');
  const waits = fed.waits.filter(ms => ms > 0);
  const ratio = perMinute(fed) / alone;
  const rows = [
    ['feeder waited, times', `${waits.length}`, `0: ${waits.length === 0 ? 'met' : 'missed'}`],
    ['s until the last sheet was fed', endedFeeding.toFixed(1), ''],
    ['most that waited on disk, MB', (most / 1e6).toFixed(1), ''],
    ['service and its helpers, resident, MB', (bytes / 1e6).toFixed(0), verdict('≤', bytes / 1e6, MEMORY_MB, 0)],
    ['of that the service, MB', (own / 1e6).toFixed(0), ''],
    ['images/min', perMinute(fed).toFixed(1), ''],
    ['of the engine alone on the same images, which takes neither deskew nor barcodes', alone.toFixed(1), ''],
    ['ratio', ratio.toFixed(2), verdict('≥', ratio, SPEED)],
    ['processor of the service alone, s an image', (fed.serviceMs / IMAGES / 1000).toFixed(2), ''],
  ];
  return table(
    [`${IMAGES} images at 140 a minute, deskewed, barcodes and 650 words of text read`, 'measured', 'wanted'],
    rows,
  );
}

/** @returns images a minute, as many at a time as there are processors */
async function engineAlone(folder: string, sides: readonly Uint8Array[]): Promise<number> {
  const { recogniser, close } = await startEngine('native', availableParallelism(), folder);
  try {
    const pages = await Promise.all(
      sides.map(async (side): Promise<RawPage> => {
        const { data, info } = await sharp(side).raw().toBuffer({ resolveWithObject: true });
        const { width, height } = info;
        return {
          kind: 'raw',
          sheet: 1,
          side: 'front',
          width,
          height,
          dpi: 300,
          pixels: 'rgb24',
          stride: width * 3,
          data,
        };
      }),
    );
    const began = performance.now();
    const { signal } = new AbortController();
    await Promise.all(pages.map(page => recogniser.read(page, {}, { signal })));
    return (pages.length / (performance.now() - began)) * 60_000;
  } finally {
    await close();
  }
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(name =>
      stat(join(folder, name)).then(
        each => (each.isFile() ? each.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
