/** A PDF in memory as a reader sees it: checked by qpdf, drawn by poppler. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { needs, type NeedyTest } from '@platen/conformance';
import { checkedPages, infoOf, textOf } from '../scan/pdfFiles.js';
import { whichSide, type Seen } from '../topology/sheets.js';

const run = promisify(execFile);
/** Enough to recognise a sheet. */
const DPI = '20';

export interface DrawnPdf {
  /** In order, as they are turned. */
  readonly pages: readonly Seen[];
  readonly title: string | undefined;
  /** Of all pages. */
  readonly text: string;
}

/** Whether the programs that `readPdf` needs are there; skips the test otherwise. */
export const canReadPdfs = (t: NeedyTest): boolean => needs(t, 'qpdf') && needs(t, 'pdftotext');

/** @throws if qpdf finds an error or a warning */
export async function readPdf(bytes: Uint8Array): Promise<DrawnPdf> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pdf-'));
  try {
    const file = join(folder, 'file.pdf');
    await writeFile(file, bytes);
    await checkedPages(file);
    await run('pdftoppm', ['-r', DPI, '-png', file, join(folder, 'page')]);
    const drawn = (await readdir(folder)).filter(name => name.endsWith('.png')).sort();
    return {
      pages: await Promise.all(drawn.map(async name => whichSide(await readFile(join(folder, name))))),
      title: await infoOf(file, 'Title'),
      text: await textOf(file),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const inksOf = ({ pages }: DrawnPdf): readonly number[] => pages.map(({ ink }) => ink);
