/** Pages out of the files of a scan, in a folder of its own that goes with it. */
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodedPage } from '@platen/core/plugin';
import { refuseTooLarge } from './assembly.js';
import type { PageSource, PageTaker } from './memoryPages.js';
import { densityOf, PNG_HEAD, readPng } from './png.js';

export type FilePage = Pick<EncodedPage, 'mimeType' | 'width' | 'height' | 'pixels' | 'data'> & { readonly dpi?: number };

export interface FilePages extends PageSource<FilePage> {
  /** What the helper is told. */
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

/** @throws ScanError `unsupported` before a page that is too large is read */
async function readPage(path: string, maxPixels: number): Promise<FilePage> {
  const file = await open(path);
  const head = Buffer.alloc(PNG_HEAD);
  try {
    await file.read(head, 0, PNG_HEAD, 0);
  } finally {
    await file.close();
  }
  const facts = readPng(head);
  refuseTooLarge(facts.width, facts.height, maxPixels);
  const data = await readFile(path);
  const dpi = densityOf(data);
  return { mimeType: 'image/png', ...facts, data, ...(dpi && { dpi }) };
}
