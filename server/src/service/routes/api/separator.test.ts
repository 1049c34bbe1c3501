/** `GET /api/separator`: a whole sheet, or an error that names the field. */
import { fakeDriver } from '@platen/conformance';
import t, { type Test } from 'tap';
import { testService, type ServiceOptions } from '../../service.test.kit.js';
import { isWhole, lines, pagesOf } from './scans/document.test.kit.js';
import { A, codeOf } from './scans/scans.test.kit.js';

async function sheets(t: Test, options: ServiceOptions = {}) {
  const { app } = await testService(t, fakeDriver(), { documents: [lines()], ...options });
  const get = (query = '', headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ method, url: `/api/separator${query === '' ? '' : `?${query}`}`, headers });
  return { get };
}

t.test('separator: one page, with its length and a name, not to be stored', async t => {
  const { get } = await sheets(t);
  for (const query of ['', 'patch=t&size=LETTER&text=INV-2026&format=PDF']) {
    const { statusCode, headers, body, rawPayload } = await get(query);
    t.equal(statusCode, 200, query);
    t.equal(pagesOf(body).length, 1);
    t.ok(isWhole(body));
    t.match(headers, {
      'content-type': 'application/x-pdf',
      'content-disposition': /^attachment; filename="separator-patch-T\.pdf"/,
      'content-length': `${rawPayload.length}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
});

t.test('separator: another patch, text or size, another page', async t => {
  const { get } = await sheets(t);
  const hashes = await Promise.all(
    ['', 'patch=2', 'size=Letter', 'text=INV'].map(async query => pagesOf((await get(query)).body)[0]?.sha256),
  );
  t.equal(new Set(hashes).size, hashes.length);
});

t.test('separator: HEAD, the same without the sheet', async t => {
  const { get } = await sheets(t);
  const [whole, head] = [await get(), await get('', {}, 'HEAD')];
  t.same([head.statusCode, head.rawPayload.length], [200, 0]);
  t.equal(head.headers['content-length'], whole.headers['content-length']);
});

t.test('separator: a value that is not accepted, the field and what is', async t => {
  const { get } = await sheets(t);
  const codes = ['1', '2', '3', '4', '6', 'T'];
  t.match(codeOf(await get('patch=5')), { code: 'invalid-value', field: 'patch', allowed: codes });
  t.match(codeOf(await get('patch=')), { code: 'invalid-value', field: 'patch', allowed: codes });
  t.match(codeOf(await get('size=A5')), { code: 'invalid-value', field: 'size', allowed: ['A4', 'Letter'] });
  t.match(codeOf(await get('format=docx')), { code: 'invalid-value', field: 'format', allowed: ['pdf'] });
  for (const text of ['', 'patcht', 'A'.repeat(33), '%00', 'A%2FB'])
    t.match(codeOf(await get(`text=${text}`)), { code: 'invalid-value', field: 'text' }, text);
  for (const name of ['patch', 'size', 'text', 'format'])
    t.match(codeOf(await get(`${name}=T&${name}=T`)), { code: 'invalid-value', field: name }, name);
});

t.test('separator: no document format is loaded, says so', async t => {
  const { get } = await sheets(t, { documents: [] });
  t.match(codeOf(await get()), { code: 'invalid-value', field: 'format' });
});

t.test('separator: a foreign origin or host, refused', async t => {
  const { get } = await sheets(t, { origins: [] });
  t.match(codeOf(await get('', { origin: A })), { code: 'origin-refused' });
  t.match(codeOf(await get('', { host: 'evil.example' })), { code: 'host-refused' });
});
