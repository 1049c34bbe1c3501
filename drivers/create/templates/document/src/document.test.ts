/** The promises of a document format, kept by this one, and what is in its ZIP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { packageContract, testDocumentPage, testPage } from '@platen/conformance';
import type { DocumentPage } from '@platen/core/plugin';
import { createFormat } from './cbz.js';
import suites from './conformance.js';
import { readZip } from './readZip.js';

const call = { signal: new AbortController().signal };

async function written(pages: readonly DocumentPage[], title?: string) {
  const format = createFormat();
  const given = (async function* () {
    yield* pages;
  })();
  const options = { createdAt: 0, barcodes: false, ...(title !== undefined && { title }) };
  try {
    const chunks: Uint8Array[] = [];
    for await (const chunk of format.write(given, options, call)) chunks.push(chunk);
    return readZip(Buffer.concat(chunks));
  } finally {
    await format.close();
  }
}

void test('Acme F100', t => packageContract(t, suites));

void test('a page that is not turned is in it byte for byte', async () => {
  const page = testDocumentPage({ mimeType: 'image/jpeg' });
  const files = await written([page]);
  assert.deepEqual([...files.keys()], ['00001.jpg', 'ComicInfo.xml']);
  const own: Uint8Array[] = [];
  for await (const slice of page.read()) own.push(slice.slice());
  assert.deepEqual(files.get('00001.jpg'), Buffer.concat(own));
});

void test('a turned page is turned clockwise', async () => {
  const content = { ...testPage({ width: 2, height: 1, pixels: 'gray8' }), data: Uint8Array.of(10, 200) };
  const png = (await written([testDocumentPage({ content, turn: 90 })])).get('00001.png')!;
  const rows = inflateSync(png.subarray(png.indexOf('IDAT') + 4));
  assert.deepEqual([...rows], [0, 10, 0, 200], 'each row after its filter');
});

void test('a title with characters of XML is text', async () => {
  const files = await written([testDocumentPage()], '<b> & \0');
  assert.match(String(files.get('ComicInfo.xml')), /<Title>&#60;b&#62; &#38; \ufffd<\/Title>/);
});
