/** Separator sheets from the service, printed by poppler, scanned between letters: which documents there are. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { ended, startScan } from '../spec/scanCalls.js';
import { start } from '../spec/specTest.js';
import { download } from '../scans/download.js';
import { checkedPages } from '../scan/pdfFiles.js';
import type { Fixture } from '../topology/topology.js';
import { insertFile, virtualTopology as topology } from '../topology/virtualTopology.js';

const run = promisify(execFile);
const samples = fileURLToPath(new URL('../../../drivers/virtual/samples/', import.meta.url));
const recognisers = ['@platen/document-pdf', '@platen/patch-codes', '@platen/barcode', '@platen/blank-pages'];

interface Listed {
  readonly number: number;
  readonly name: string;
  readonly pages: readonly number[];
  readonly isComplete: boolean;
  readonly separator?: object;
  readonly url: string;
}

/** A person at a printer and a scanner. */
async function desk(t: Test) {
  const fixture = await start(t, topology, { recognisers });
  const folder = await mkdtemp(join(tmpdir(), 'platen-separation-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const letter = await readFile(join(samples, 'letter.png'));
  /** Has barcodes. */
  const labels = await readFile(join(samples, 'labels.png'));
  const white = await sharp({ create: { width: 850, height: 1100, channels: 3, background: '#fdfdfb' } })
    .withDensity(100)
    .png()
    .toBuffer();
  let count = 0;
  return {
    fixture,
    folder,
    letter,
    labels,
    white,
    /** The service's sheet on paper, as a scanner at 200 dpi sees it. */
    async printed(query: string, quarters = 0): Promise<Buffer> {
      const { status, bytes } = await fixture.request('GET', `/api/separator?${query}`);
      if (status !== 200) throw new Error(`separator: ${status} ${bytes.toString()}`);
      const file = join(folder, `${++count}`);
      await writeFile(`${file}.pdf`, bytes);
      t.equal(await checkedPages(`${file}.pdf`), 1);
      await run('pdftoppm', ['-r', '200', '-gray', '-png', '-singlefile', `${file}.pdf`, file]);
      return sharp(await readFile(`${file}.png`))
        .rotate(quarters * 90)
        .withDensity(200)
        .png()
        .toBuffer();
    },
    /** @returns the documents of the scanned stack; a sheet with two sides has a back */
    async scanned(sheets: readonly (Buffer | readonly [Buffer, Buffer])[], parameters: object, separate?: object) {
      await fixture.load('duplex', []);
      for (const [index, sheet] of sheets.entries()) {
        const stem = `sheet-${String(index).padStart(3, '0')}`;
        const [front, back] = Buffer.isBuffer(sheet) ? [sheet] : sheet;
        await insertFile(fixture.tray('duplex'), `${stem}.front.png`, front!);
        if (back) await insertFile(fixture.tray('duplex'), `${stem}.back.png`, back);
      }
      const { status, json } = await startScan(fixture, 'duplex', {
        parameters: { resolution: 200, imageFormat: 'Jpeg', ...parameters, ...(separate ? { separate } : {}) },
      });
      t.equal(status, 201, JSON.stringify(json));
      const scan = await ended(fixture, json.id);
      t.match(scan, { state: 'completed' });
      return documentsOf(fixture, json.id);
    },
  };
}

async function documentsOf(fixture: Fixture, id: string): Promise<readonly Listed[]> {
  const { status, json } = await fixture.request('GET', `/api/scans/${id}/documents`);
  if (status !== 200) throw new Error(`documents: ${status}`);
  return (json as { readonly documents: readonly Listed[] }).documents;
}

const facts = (documents: readonly Listed[]) => documents.map(({ name, pages, separator }) => [name, pages, separator]);

if (needs(t, 'pdftoppm') && needs(t, 'qpdf')) {
  t.test('printed sheets between letters, by patch and by barcode: the right documents', async t => {
    const { letter, labels, printed, scanned } = await desk(t);
    const usual = await printed('');
    const invoice = await printed('patch=2&text=INV-2026.17&size=Letter');
    const stack = [letter, labels, usual, letter, invoice, labels, letter];
    for (const colorMode of ['Grayscale', 'BlackAndWhite']) {
      const by = async (separate: object) => facts(await scanned(stack, { colorMode }, separate));
      t.strictSame(
        await by({ by: 'patch' }),
        [
          ['Document 1', [1, 2], undefined],
          ['Patch T', [4], { page: 3, patch: 'T' }],
          ['Patch 2', [6, 7], { page: 5, patch: '2' }],
        ],
        `patch ${colorMode}`,
      );
      t.strictSame(
        await by({ by: 'barcode' }),
        [
          ['Document 1', [1, 2], undefined],
          ['PATCHT', [4, 5, 6, 7], { page: 3, text: 'PATCHT' }],
        ],
        `barcode ${colorMode}`,
      );
      t.strictSame(
        await by({ by: 'barcode', text: 'INV-*', keep: true }),
        [
          ['Document 1', [1, 2, 3, 4], undefined],
          ['2026.17', [5, 6, 7], { page: 5, text: 'INV-2026.17' }],
        ],
        `pattern ${colorMode}`,
      );
    }
  });

  t.test('a sheet that is fed from any edge, or face down in duplex: its patch is the same', async t => {
    const { letter, white, printed, scanned } = await desk(t);
    for (const patch of ['3', '6']) {
      for (const quarters of [0, 1, 2, 3]) {
        const sheet = await printed(`patch=${patch}`, quarters);
        const documents = await scanned(
          [
            [letter, letter],
            [white, sheet],
            [letter, letter],
          ],
          { duplexMode: 'DuplexLongEdge' },
          { by: 'patch' },
        );
        t.strictSame(
          facts(documents),
          [
            ['Document 1', [1, 2], undefined],
            [`Patch ${patch}`, [5, 6], { page: 4, patch }],
          ],
          `${patch} ${quarters}`,
        );
      }
    }
  });

  t.test('by count: the right documents, each streamed by its address', async t => {
    const { fixture, folder, letter, white, scanned } = await desk(t);
    const stack = [
      [letter, white],
      [letter, letter],
      [white, letter],
    ] as const;
    const documents = await scanned(stack, { duplexMode: 'DuplexLongEdge' }, { by: 'count', pages: 4 });
    t.strictSame(facts(documents), [
      ['Document 1', [1, 2, 3, 4], undefined],
      ['Document 2', [5, 6], undefined],
    ]);
    for (const { url, pages } of documents) {
      const answer = await download(fixture, url);
      t.equal(await answer.ended, true);
      await writeFile(join(folder, 'document.pdf'), answer.bytes());
      t.equal(await checkedPages(join(folder, 'document.pdf')), pages.length);
    }
  });

  t.test('blank sheets: the right documents, without the backs that are blank', async t => {
    const { letter, white, scanned } = await desk(t);
    const stack = [
      [letter, white],
      [white, white],
      [letter, letter],
    ] as const;
    const parameters = { duplexMode: 'DuplexLongEdge', blankPages: 'drop' };
    t.strictSame(facts(await scanned(stack, parameters, { by: 'blank' })), [
      ['Document 1', [1], undefined],
      ['Document 2', [5, 6], { page: 3 }],
    ]);
  });
}
