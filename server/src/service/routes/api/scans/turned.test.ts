/** `GET /api/scans/{id}/pages/{n}?rotate=90`: the page turned, whole or small. */
import sharp from 'sharp';
import type { Test } from 'tap';
import t from 'tap';
import type { ServiceOptions } from '../../../service.test.kit.js';
import { codeOf, service } from './scans.test.kit.js';

async function onePage(t: Test, options: ServiceOptions = {}) {
  const driver = { sheets: 1, page: { width: 300, height: 200, pixels: 'gray8' } } as const;
  const made = await service(t, driver, options);
  // A format that is not read without its plugin.
  const parameters = { imageFormat: 'Bmp' };
  const [page] = (await made.ended(await made.started({}, { parameters }))).pages;
  if (!page) throw new Error('no page');
  return { ...made, page };
}

t.test('page: turned, its own size and tag, no digest of the file; with width, small', async t => {
  const { call, page } = await onePage(t);
  const whole = await call('GET', page.url);
  const tags = new Set([whole.headers.etag]);
  for (const [query, width, height] of [
    ['rotate=90', 200, 300],
    ['rotate=180', 300, 200],
    ['rotate=270', 200, 300],
    ['rotate=90&width=100', 100, 150],
    ['rotate=270&width=100', 100, 150],
    ['rotate=0&width=100', 100, 67],
    ['width=50', 50, 33],
  ] as const) {
    const url = `${page.url}?${query}`;
    const { statusCode, headers, rawPayload } = await call('GET', url, { range: 'bytes=0-1' });
    t.equal(statusCode, 200, query);
    const isSmall = query.includes('width');
    t.match(headers, {
      'content-type': isSmall ? 'image/jpeg' : 'image/bmp',
      'content-length': `${rawPayload.length}`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    t.notOk(headers['content-digest'] ?? headers['repr-digest'] ?? headers['accept-ranges'], query);
    const its: unknown = isSmall
      ? await sharp(rawPayload).metadata()
      : JSON.parse(rawPayload.toString('latin1').split('\n', 1)[0] ?? '');
    t.match(its, { width, height }, query);
    t.ok(String(headers.etag).startsWith(`"${page.sha256}-`), query);
    tags.add(headers.etag);
    const again = await call('GET', url, { 'if-none-match': String(headers.etag) });
    t.same([again.statusCode, again.rawPayload.length], [304, 0], query);
    const head = await call('HEAD', url);
    t.same([head.statusCode, head.headers.etag, head.rawPayload.length], [200, headers.etag, 0], query);
  }
  t.equal(tags.size, 8, 'each has a tag of its own');
  const unturned = await call('GET', `${page.url}?rotate=0`);
  t.ok(unturned.rawPayload.equals(whole.rawPayload));
  t.equal(unturned.headers.etag, whole.headers.etag);
});

t.test('page: rotate takes the four turns only, and lists them', async t => {
  const { call, page } = await onePage(t);
  for (const rotate of ['45', '-90', '360', 'x', '', '090', '90&rotate=90'])
    t.match(
      codeOf(await call('GET', `${page.url}?rotate=${rotate}`)),
      { code: 'invalid-value', field: 'rotate', allowed: [0, 90, 180, 270] },
      rotate,
    );
});

t.test('page: a turned page is the page, a small one is not', async t => {
  const { call, page, start } = await onePage(t, { config: { scans: { keepBytes: 1 } } });
  const get = async (query: string, headers = {}) =>
    t.equal((await call('GET', `${page.url}?${query}`, headers)).statusCode, 200, query);
  await get('rotate=90&width=100');
  await get('rotate=90', { 'sec-fetch-dest': 'image' });
  await call('HEAD', `${page.url}?rotate=90`);
  t.equal((await start()).statusCode, 507);
  await get('rotate=90');
  while ((await start()).statusCode !== 201);
});
