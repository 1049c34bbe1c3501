/** Pages of several scans in one document, and turned pages, through the client module against a whole service. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient, type Scan, type ScanPage } from '@platen/client';
import sharp from 'sharp';
import t from 'tap';
import { start } from '../spec/specTest.js';
import { sheets, whichSide } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { canReadPdfs, inksOf, readPdf } from './drawnPdf.js';
import { relayTo } from './relay.js';

if (!canReadPdfs(t)) process.exit(0);

const fixture = await start(t, virtualTopology, { recognisers: ['@platen/document-pdf', '@platen/document-tiff'] });
const relay = await relayTo(t, fixture);
const client = createClient({ baseUrl: relay.url });
const small = { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg' } as const;
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

async function scanned(...inks: Parameters<typeof sheets>): Promise<Scan & { readonly all: readonly ScanPage[] }> {
  await fixture.load('duplex', sheets(...inks));
  const scan = await client.startScan(fixture.name('duplex'), small);
  const all: ScanPage[] = [];
  for await (const page of scan.pages()) all.push(page);
  return Object.assign(scan, { all });
}

t.test('document: pages of two scans in one PDF, in any order, turned', async t => {
  const [first, second] = [await scanned(1, 2), await scanned(3, 4)];
  const bytes: number[] = [];
  const document = await client.document(
    [
      { scan: second, number: 2 },
      { scan: first.id, number: 1, rotate: 180 },
      { scan: second.id, number: 1, rotate: 0 },
      { scan: first, number: 1 },
    ],
    { title: 'Größe & 書', onProgress: count => bytes.push(count) },
  );
  t.equal(document.type, 'application/pdf');
  t.equal(bytes.at(-1), document.size);
  const pdf = await readPdf(await bytesOf(document));
  t.same(pdf.pages, [
    { ink: 4, upright: true },
    { ink: 1, upright: false },
    { ink: 3, upright: true },
    { ink: 1, upright: true },
  ]);
  t.equal(pdf.title, 'Größe & 書');
  const tiff = await client.document([{ scan: first, number: 2 }, { scan: second, number: 1 }], { format: 'tif' }); // prettier-ignore
  t.equal(tiff.type, 'image/tiff');
  t.equal((await sharp(await tiff.arrayBuffer()).metadata()).pages, 2);
  await first.done();
  await t.rejects(client.document([{ scan: first, number: 1 }]), { code: 'scan-not-found' });
  await second.done();
});

t.test(
  'document: fronts and backs of a stack in turn, in both orders of the backs; unequal counts, refused',
  async t => {
    const [fronts, reversed, same, two] = [
      await scanned(1, 2, 3),
      await scanned(6, 5, 4),
      await scanned(4, 5, 6),
      await scanned(4, 5),
    ];
    const first = await client.document({ fronts, backs: reversed.id }, { title: 'Both sides' });
    const pdf = await readPdf(await bytesOf(first));
    t.same([inksOf(pdf), pdf.title], [[1, 4, 2, 5, 3, 6], 'Both sides']);
    const other = await client.document({ fronts: fronts.id, backs: same, backsOrder: 'same' });
    t.same(inksOf(await readPdf(await bytesOf(other))), [1, 4, 2, 5, 3, 6]);
    const refused = { code: 'invalid-value', field: 'interleave', message: /fronts have 3, the backs have 2/ };
    await t.rejects(client.document({ fronts, backs: two }), refused);
    for (const scan of [fronts, reversed, same, two]) await scan.done();
  },
);

t.test('document: what the service refuses; a damaged page, failed', async t => {
  const scan = await scanned(1, 2, 3);
  const one = { scan, number: 1 };
  await t.rejects(client.document([]), { code: 'invalid-value' });
  await t.rejects(client.document([one, { scan, number: 4 }]), { code: 'invalid-value', message: /pages\[1\]\.page/ });
  await t.rejects(client.document([one], { format: 'docx' }), { code: 'invalid-value' });
  await truncate(join(fixture.dataDir, 'scans', scan.id, '2.page'), 10);
  await t.rejects(client.document([one, { scan, number: 2 }]), { code: 'storage-failed', message: /2/ });
  t.same(inksOf(await readPdf(await bytesOf(await client.document([{ scan, number: 3 }, one])))), [3, 1]);
  await scan.done();
});

t.test('document of one scan: 4,000 single pages, which an address does not hold', async t => {
  const scan = await scanned(1, 2);
  const pages = Array.from({ length: 4000 }, (_, at) => 2 - (at % 2));
  const document = await scan.document('pdf', { pages });
  t.ok(document.size > 0);
  t.equal(
    Buffer.from(await bytesOf(document))
      .toString('latin1')
      .split('/Type /Page ').length - 1,
    4000,
  );
  await scan.done();
});

t.test('blob and thumbnail: turned by the service', async t => {
  const scan = await scanned(5);
  const [page] = scan.all;
  if (!page) throw new Error('no page');
  const turned = await page.blob({ rotate: 180 });
  t.equal(turned.type, 'image/jpeg');
  t.match(await whichSide(await bytesOf(turned)), { ink: 5, upright: false });
  const quarter = await sharp(await bytesOf(await page.blob({ rotate: 90 }))).metadata();
  t.match(quarter, { width: page.height, height: page.width, density: page.resolution });
  const { width, height } = await sharp(await bytesOf(await page.thumbnail(120, { rotate: 270 }))).metadata();
  t.same([width, height], [120, Math.round((120 * page.width) / page.height)]);
  await scan.done();
});
