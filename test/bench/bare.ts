/**
 * The process that only encodes: sharp with the plugins' settings, a page in flight for each core, its files in memory.
 */
import { availableParallelism } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { saveImages } from './ask.js';
import { readRaw } from './rawFile.js';
import { sheet, sheetBytes } from './sheets.js';

export interface BareTask {
  readonly imageFormat: 'Png' | 'Jpeg';
  readonly files: readonly string[];
  /** Reads each page when its turn comes; otherwise they are in memory before the clock starts. */
  readonly fromFiles?: boolean;
  /** A folder for the images as files, named by their numbers, after the clock has stopped. */
  readonly save?: string;
}

export interface BareTaking {
  readonly ms: number;
  /** Of the processor, in all threads. */
  readonly processorMs: number;
  /** Of each image as a file. */
  readonly sizes: readonly number[];
}

const encoders: Readonly<Record<BareTask['imageFormat'], (image: Sharp) => Promise<Buffer>>> = {
  Png: image => image.withDensity(sheet.dpi).png({ compressionLevel: 2, adaptiveFiltering: false }).toBuffer(),
  Jpeg: image => image.jpeg({ quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false }).toBuffer(),
};

const held = new Map<string, Uint8Array>();

process.on('message', (task: BareTask) => {
  encodeAll(task).then(
    taking => process.send?.({ taking }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function encodeAll({ imageFormat, files, fromFiles = false, save }: BareTask): Promise<BareTaking> {
  held.clear();
  if (!fromFiles) for (const file of files) held.set(file, await readRaw(file, sheetBytes));
  const pages = files.entries();
  const { width, height, channels } = sheet;
  const images: Buffer[] = [];
  const before = process.cpuUsage();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const [at, file] of pages) {
        const page = held.get(file) ?? (await readRaw(file, sheetBytes));
        images[at] = await encoders[imageFormat](sharp(page, { raw: { width, height, channels } }));
      }
    }),
  );
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  if (save !== undefined) await saveImages(save, images);
  return { ms, processorMs: (user + system) / 1000, sizes: images.map(image => image.length) };
}
