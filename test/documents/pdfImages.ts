/** The image files in a PDF, as poppler takes them out. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** @param pdf a file's path */
export async function imagesOf(pdf: string): Promise<Buffer[]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-images-'));
  try {
    await promisify(execFile)('pdfimages', ['-all', pdf, join(folder, 'image')]);
    const names = (await readdir(folder)).sort();
    return await Promise.all(names.map(name => readFile(join(folder, name))));
  } finally {
    await rm(folder, { recursive: true });
  }
}
