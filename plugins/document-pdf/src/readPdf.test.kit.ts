/** A PDF read by qpdf and poppler, as the contract suite wants it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenDocument, WrittenPage } from '@platen/conformance';
import type { Turn } from '@platen/core/plugin';
import { decoded, run } from './pages.test.kit.js';

interface PdfJson {
  readonly pages: readonly { readonly object: string; readonly images: readonly { width: number; height: number }[] }[];
  readonly qpdf: readonly [unknown, Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>];
}

const POINTS_PER_INCH = 72;

let files = 0;

/** @param folder stays until the pages' pixels are read @throws if qpdf finds a fault */
export async function readPdf(folder: string, bytes: Uint8Array): Promise<WrittenDocument> {
  const path = join(folder, `${++files}.pdf`);
  await writeFile(path, bytes);
  await run('qpdf', ['--check', path]);
  const { pages, qpdf } = JSON.parse(await run('qpdf', ['--json=2', path])) as PdfJson;
  const values = Object.values(qpdf[1]).map(({ value }) => value);
  const title = values.find(value => value?.['/Producer'] !== undefined)?.['/Title'];
  const text = await run('pdftotext', [path, '-']);
  // A form feed ends each page.
  const texts = text.split('\f');
  return {
    ...(typeof title === 'string' ? { title: title.replace(/^u:/, '') } : {}),
    pages: pages.map(({ object, images }, i) => {
      if (images.length !== 1) throw new Error(`page ${i + 1} has ${images.length} images`);
      const page = qpdf[1][`obj:${object}`]!.value!;
      return { ...pageOf(page, images[0]!), pixels: () => pixelsOf(path, i + 1), text: texts[i]!.trim() };
    }),
  };
}

function pageOf(
  page: Readonly<Record<string, unknown>>,
  { width, height }: { width: number; height: number },
): Omit<WrittenPage, 'pixels' | 'text'> {
  const [, , across] = page['/MediaBox'] as [number, number, number, number];
  const unit = (page['/UserUnit'] as number | undefined) ?? 1;
  const dpi = Math.round((width * POINTS_PER_INCH) / (across * unit));
  return { width, height, dpi, turn: ((page['/Rotate'] as number | undefined) ?? 0) as Turn };
}

async function pixelsOf(path: string, page: number): ReturnType<typeof decoded> {
  await run('pdfimages', ['-png', '-f', String(page), '-l', String(page), path, `${path}-${page}`]);
  const [folder, start] = [join(path, '..'), `${path}-${page}-`];
  const [name] = (await readdir(folder)).filter(each => join(folder, each).startsWith(start));
  return decoded(await readFile(join(folder, name!)));
}
