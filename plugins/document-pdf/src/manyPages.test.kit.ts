/** Documents of many pages, which the usual and the long tests of streaming share. */
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { testPage } from '@platen/conformance';
import type { DocumentPage } from '@platen/core/plugin';
import type { Test } from 'tap';
import { createdAt, format, jpegFile, pageOf, pdfOf, run } from './pages.test.kit.js';

/** Memory does not grow after the first 1000 pages, and no node of the tree has more than 64 children. */
export async function writesManyPages(t: Test, count: number): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const file = await jpegFile(testPage({ width: 40, height: 30, pixels: 'gray8' }));
  const small = await pageOf(file);
  const heap: number[] = [];
  const options = { createdAt, barcodes: false };
  const { signal } = new AbortController();
  const path = join(t.testdir(), 'long.pdf');
  const out = createWriteStream(path);
  async function* pages(): AsyncGenerator<DocumentPage, void> {
    for (let pageNumber = 1; pageNumber <= count; pageNumber++) {
      if (pageNumber === 1000 || pageNumber === count) {
        // What a slow disk still has to write is not the document's.
        while (out.writableLength > 0) await new Promise(setImmediate);
        for (let times = 0; times < 2; times++) {
          collect();
          await new Promise(setImmediate);
        }
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        heap.push(heapUsed + arrayBuffers);
      }
      yield { ...small, pageNumber };
    }
  }
  for await (const chunk of format.write(pages(), options, { signal }))
    if (!out.write(Buffer.from(chunk))) await once(out, 'drain');
  out.end();
  await once(out, 'close');
  const perPage = (heap[1]! - heap[0]!) / (count - 1000);
  t.ok(perPage < 400, `${perPage.toFixed(0)} bytes a page`);
  t.match(await run('pdfinfo', [path]), new RegExp(`Pages: +${count}`));
  await run('qpdf', ['--check', path]);
  const text = await readFile(path, 'latin1');
  const nodes = [...text.matchAll(/<< \/Type \/Pages( \/Parent \d+ 0 R)? \/Count (\d+) \/Kids \[([^\]]*)\]/g)];
  t.ok(
    nodes.every(([, , , kids]) => kids!.split('R').length - 1 <= 64),
    'no node has more than 64 children',
  );
  t.strictSame(
    nodes.filter(([, parent]) => parent === undefined).map(([, , below]) => below),
    [String(count)],
    'one root',
  );
}

/** Every page is there, in order. */
export async function keepsOrder(t: Test, counts: readonly number[]): Promise<void> {
  const file = await jpegFile(testPage({ width: 16, height: 16, pixels: 'gray8' }));
  const page = await pageOf(file);
  const folder = t.testdir();
  for (const count of counts) {
    // The width tells the pages apart, as one page again and again they have one image.
    const pages = Array.from({ length: count }, (_, i) => ({ ...page, dpi: (16 / (10 + (i + 1) / 100)) * 72 }));
    const path = join(folder, `${count}.pdf`);
    await writeFile(path, await pdfOf(pages));
    await run('qpdf', ['--check', path]);
    const sizes = [...(await run('pdfinfo', ['-l', '-1', path])).matchAll(/Page +(\d+) size: +([\d.]+) x/g)];
    t.equal(sizes.length, count);
    const wrong = sizes.filter(([, number, width]) => Math.abs(Number(width) - (10 + Number(number) / 100)) > 0.006);
    t.strictSame(
      wrong.map(([, number]) => number),
      [],
      `${count} pages`,
    );
  }
}
