/** What a PDF that the command wrote contains, by programs of other people. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { whichSide, type Ink } from '../topology/sheets.js';

const run = promisify(execFile);

/** Checks the whole file. @returns the number of its pages. @throws what qpdf finds wrong */
export async function checkedPages(file: string): Promise<number> {
  await run('qpdf', ['--check', file]);
  return Number((await run('qpdf', ['--show-npages', file])).stdout);
}

/** The sheets whose images the pages have, in order. */
export async function inksOf(file: string): Promise<Ink[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-pdf-'));
  try {
    await run('pdfimages', ['-all', file, join(folder, 'image')]);
    const inks: Ink[] = [];
    for (const name of (await readdir(folder)).sort())
      inks.push((await whichSide(await readFile(join(folder, name)))).ink);
    return inks;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A field of `pdfinfo`, such as `Title`. */
export async function infoOf(file: string, field: string): Promise<string | undefined> {
  const { stdout } = await run('pdfinfo', [file]);
  return new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(stdout)?.[1];
}

/** Degrees clockwise by which each page is turned. */
export async function turnsOf(file: string): Promise<number[]> {
  const { stdout } = await run('pdfinfo', ['-l', '-1', file]);
  return [...stdout.matchAll(/^Page\s+\d+ rot:\s+(\d+)$/gm)].map(([, turn]) => Number(turn));
}

export async function textOf(file: string): Promise<string> {
  return (await run('pdftotext', [file, '-'])).stdout;
}
