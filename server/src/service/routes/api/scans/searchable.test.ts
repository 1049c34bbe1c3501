/** `searchable=true` of a document: text that the scan did not read is read now. */
import { fakeRecogniser, fakeWords } from '@platen/conformance';
import t, { type Test } from 'tap';
import { documentService, isWhole, pagesOf } from './document.test.kit.js';
import { codeOf } from './scans.test.kit.js';

async function scanned(t: Test, options: Parameters<typeof documentService>[2]) {
  const made = await documentService(t, { sheets: 3 }, options);
  const id = await made.started();
  await made.ended(id);
  return { ...made, get: (query: string) => made.call('GET', made.path(id, query)) };
}

t.test('searchable: pages scanned without text have it', async t => {
  const ocr = fakeRecogniser('ocr', { reads: page => fakeWords('read now', page) });
  const { get } = await scanned(t, { recognisers: [ocr] });
  const words = async (query: string) => pagesOf((await get(query)).body).map(page => page.words);
  t.same(await words(''), ['', '', '']);
  t.equal(ocr.reads, 0);
  t.same(await words('searchable=true'), ['read_now', 'read_now', 'read_now']);
});

t.test('searchable: no plugin reads text, refused by name', async t => {
  const { get } = await scanned(t, {});
  const refused = await get('searchable=true');
  t.equal(refused.statusCode, 400);
  t.match(codeOf(refused), { code: 'invalid-value', field: 'searchable' });
});

t.test('searchable: text that cannot be read, a whole document, and the reason in the log', async t => {
  const { get, lines } = await scanned(t, { recognisers: [fakeRecogniser('ocr', { fails: new Error('no ink') })] });
  const { statusCode, body } = await get('searchable=true');
  t.equal(statusCode, 200);
  t.ok(isWhole(body));
  t.same(
    pagesOf(body).map(({ words }) => words),
    ['', '', ''],
  );
  t.equal(lines.filter(line => JSON.stringify(line).includes('no ink')).length, 3);
});
