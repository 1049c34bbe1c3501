/** Pages from the files of a scan, in a temporary folder that is removed with the scan. */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertPixels } from '@platen/core/driver';
import { imageFacts, ScanError, type EncodedPage, type ImageFacts } from '@platen/core/plugin';
import type { PageSource, PageTaker } from './memoryPages.js';

export type FilePage = Pick<EncodedPage, 'mimeType' | 'width' | 'height' | 'pixels' | 'data'> & {
  readonly dpi?: number;
};

export interface FilePages extends PageSource<FilePage> {
  /** The folder for the helper's files. */
  readonly folder: string;
  dispose(): Promise<void>;
}

export async function filePages({ maxPixels, give, fail }: PageTaker<FilePage>): Promise<FilePages> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-ica-'));
  let failed = false;
  return {
    folder,
    async onMore({ header }) {
      const path = header['file'];
      if (failed || typeof path !== 'string') return;
      try {
        await give(await readPage(path, maxPixels));
      } catch (error) {
        failed = true;
        fail(error);
      } finally {
        await rm(path, { force: true });
      }
    },
    isTorn: false,
    last: () => undefined,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Signature and IHDR. */
const PNG_HEADER_BYTES = 33;

/** @throws ScanError `unsupported` before reading a page that is too large */
async function readPage(path: string, maxPixels: number): Promise<FilePage> {
  const file = await open(path);
  const head = Buffer.alloc(PNG_HEADER_BYTES);
  try {
    await file.read(head, 0, PNG_HEADER_BYTES, 0);
  } finally {
    await file.close();
  }
  const { width, height } = readPng(head);
  assertPixels(width, height, maxPixels);
  const data = await readFile(path);
  const { channels, pixels, density, isWhole } = readPng(data);
  if (!isWhole)
    throw new ScanError('driver-failed', 'The scanner wrote a page whose end is missing. Scan this page again.');
  const dpi = density && Math.round(density.x);
  // The colours of a palette are unknown, even if it has two.
  return {
    mimeType: 'image/png',
    width,
    height,
    pixels: channels === undefined ? 'rgb24' : pixels,
    data,
    ...(dpi && { dpi }),
  };
}

function readPng(file: Buffer): ImageFacts {
  const facts = imageFacts(file);
  if (facts?.mimeType !== 'image/png')
    throw new ScanError('driver-failed', 'The scanner wrote a file that is not a PNG.');
  return facts;
}
