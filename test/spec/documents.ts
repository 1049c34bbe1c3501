/** Documents of scans, an addition to the interface: pages as one file while they are scanned, and several from a stack. */
import { insertFile } from '../topology/virtualTopology.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import sharp from 'sharp';
import { equipped } from './recognition.js';
import { continueScan, deleteScan, ended, findScan, pageOf, startScan, type ScanResource } from './scanCalls.js';
import { spec } from './specTest.js';

const shop = { origin: 'https://shop.example' };
const parameters = { resolution: 100, colorMode: 'Color', imageFormat: 'Jpeg' } as const;

const documentOf = (fixture: Fixture, id: string, query = '', method = 'GET', headers: object = shop) =>
  fixture.request(method, `/api/scans/${id}/document${query}`, { headers: { ...headers } });

/** A separator sheet of 300 dpi, half as large: its code has large modules. */
const SMALLER = { width: 1275, dpi: 150 };

/** Inserts a separator sheet of the service, as if it were printed. @param name sorts after those of other sheets */
async function insertSeparator(fixture: Fixture, name: string, text: string): Promise<void> {
  const { bytes } = await fixture.request('GET', `/api/separator?format=tiff&text=${text}`);
  const sheet = await sharp(bytes).resize(SMALLER.width).withDensity(SMALLER.dpi).png().toBuffer();
  await insertFile(fixture.tray('duplex'), `${name}.front.png`, sheet);
}

interface Listed {
  readonly documents: readonly {
    readonly number: number;
    readonly name: string;
    readonly pages: readonly number[];
    readonly isComplete: boolean;
    readonly separator?: object;
    readonly url: string;
  }[];
  readonly count: number;
}

async function documentsOf(fixture: Fixture, id: string): Promise<Listed> {
  return (await fixture.request('GET', `/api/scans/${id}/documents`, { headers: shop })).json as Listed;
}

/** Where the file of each page begins in a document that has them unchanged; -1 if it is not there. */
async function placesOf(fixture: Fixture, { id, pages }: ScanResource, document: Buffer): Promise<number[]> {
  const files = await Promise.all(pages.map(({ number }) => pageOf(fixture, id, number, shop)));
  return files.map(({ bytes }) => document.indexOf(bytes));
}

export const documents = [
  spec(
    'Scans, GET /api/scans/{id}/document: one file with every page, asked for while the scan runs',
    ['scans.document', 'scans.owner'],
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      await fixture.load('slow', sheets(3, 1, 2));
      const { json } = await startScan(fixture, 'slow', { ...shop, parameters });
      t.match((await findScan(fixture, json.id, shop)).json, { state: 'running' });
      const { status, headers, bytes } = await documentOf(fixture, json.id, '?title=Letter');
      t.equal(status, 200);
      t.match(headers, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="Letter.pdf"; filename*=UTF-8''Letter.pdf`,
        'transfer-encoding': 'chunked',
        'cache-control': 'no-store',
        'platen-scan': /^(?:running|completed)$/,
        'access-control-allow-origin': shop.origin,
      });
      t.match(bytes.subarray(0, 5).toString(), '%PDF-');
      t.match(bytes.subarray(-8).toString('latin1'), /%%EOF/);
      const scan = await ended(fixture, json.id, shop);
      const places = await placesOf(fixture, scan, bytes);
      t.ok(places.length === 3 && places.every((place, at) => place > (places[at - 1] ?? 0)), places.join());
      const strange = await documentOf(fixture, json.id, '', 'GET', { origin: 'https://other.example' });
      t.match(strange, { status: 404, headers: { 'platen-error': /scan-not-found/ } });
    },
    ['slow'],
  ),

  spec(
    'Scans, GET /api/scans/{id}/document: pages in the wanted order, HEAD, another format, and what is refused',
    'scans.document',
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      await fixture.load('duplex', sheets(3, 1, 2));
      const { json } = await startScan(fixture, 'duplex', { ...shop, parameters });
      const { id } = json;
      const scan = await ended(fixture, id, shop);
      const turned = await documentOf(fixture, id, '?pages=3,1-2&rotate=1:90');
      const [first = 0, second = 0, third = 0] = await placesOf(fixture, scan, turned.bytes);
      t.ok(third > 0 && third < first && first < second, 'the third page is the first one');
      t.same(turned.bytes.toString('latin1').match(/\/Rotate (?!0\b)\d+/g), ['/Rotate 90']);
      const some = await documentOf(fixture, id, '?pages=2');
      const places = await placesOf(fixture, scan, some.bytes);
      t.same(
        places.map(place => place > 0),
        [false, true, false],
      );
      const tiff = await documentOf(fixture, id, '?format=TIF');
      t.match(tiff, { status: 200, headers: { 'content-type': 'image/tiff', 'platen-scan': 'completed' } });
      t.match(tiff.bytes.subarray(0, 2).toString('latin1'), /II|MM/);
      const head = await documentOf(fixture, id, '', 'HEAD');
      t.match(head, { status: 200, headers: { 'content-type': 'application/pdf', 'platen-scan': 'completed' } });
      for (const [query, field] of [
        ['?format=docx', 'format'],
        ['?pages=4', 'pages'],
        ['?pages=2-1', 'pages'],
        ['?pages=1-9999999', 'pages'],
        ['?rotate=1:45', 'rotate'],
        ['?title=', 'title'],
        ['?searchable=maybe', 'searchable'],
        ['?barcodes=true&barcodes=true', 'barcodes'],
      ] as const) {
        const { status, headers } = await documentOf(fixture, id, query);
        t.equal(status, 400, query);
        t.match(JSON.parse(String(headers['platen-error'])), { code: 'invalid-value', field }, query);
      }
      await deleteScan(fixture, id, shop);
      t.equal((await documentOf(fixture, id)).status, 404);
    },
    ['duplex'],
  ),

  spec(
    'Scans, separate: a stack becomes several documents, by count and by barcode; continued, it goes on',
    ['scans.documents', 'scans.continue'],
    async (t, _fixture, topology) => {
      const fixture = await equipped(topology);
      await fixture.load('duplex', sheets(1, 2, 3));
      const byCount = { ...parameters, separate: { by: 'count', pages: 2 } };
      const { json } = await startScan(fixture, 'duplex', { ...shop, parameters: byCount });
      await ended(fixture, json.id, shop);
      t.match(await documentsOf(fixture, json.id), {
        count: 2,
        documents: [
          { number: 1, name: 'Document 1', pages: [1, 2], isComplete: true },
          { number: 2, name: 'Document 2', pages: [3], isComplete: true },
        ],
      });
      await fixture.insert('duplex', sheets(4, 5));
      t.equal((await continueScan(fixture, json.id, shop)).status, 200);
      await ended(fixture, json.id, shop);
      const { documents: more } = await documentsOf(fixture, json.id);
      t.same(
        more.map(({ pages }) => pages),
        [[1, 2], [3, 4], [5]],
      );
      await deleteScan(fixture, json.id, shop);

      await fixture.load('duplex', sheets(1));
      await insertSeparator(fixture, 'zz-1', 'INV-0815');
      await insertSeparator(fixture, 'zz-2', 'OTHER');
      const byBarcode = { resolution: 150, separate: { by: 'barcode', text: 'INV-*' } };
      const other = await startScan(fixture, 'duplex', { ...shop, parameters: byBarcode });
      await ended(fixture, other.json.id, shop);
      const listed = await documentsOf(fixture, other.json.id);
      t.match(listed, {
        count: 2,
        documents: [
          { name: 'Document 1', pages: [1] },
          { name: '0815', pages: [3], separator: { page: 2, text: 'INV-0815' } },
        ],
      });
      for (const { url } of listed.documents)
        t.equal((await fixture.request('GET', url, { headers: shop })).status, 200, url);
    },
    ['duplex'],
  ),
];
