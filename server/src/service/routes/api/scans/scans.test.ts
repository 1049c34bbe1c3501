/** Scans as resources through HTTP: started, listed, read, cancelled, continued and deleted. */
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ScanList } from '../../../shapes/schemas.js';
import { A, B, codeOf, service } from './scans.test.kit.js';

for (const keep of [true, false])
  t.test(`scans, keep ${keep}: started, its pages, its list, deleted`, async t => {
    const { start, ended, call, list } = await service(t, { sheets: 2 }, { config: { scans: { keep } } });
    const made = await start({}, { requestId: 'r-1', parameters: { colorMode: 'color', report: true } });
    t.equal(made.statusCode, 201);
    const { id } = made.json<{ id: string }>();
    t.match(made.headers, { location: `/api/scans/${id}`, 'cache-control': 'no-store' });
    t.match(made.json(), {
      success: true,
      state: 'running',
      scannerName: 'A',
      requestId: 'r-1',
      kind: 'scan',
      createdAt: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    });
    const scan = await ended(id);
    t.match(scan, { state: 'completed', notes: [], pageCount: 2, progress: { scanned: 2, finished: 2 } });
    t.notOk('code' in scan || 'error' in scan);
    const [first] = scan.pages;
    t.match(first, {
      number: 1,
      sheet: 1,
      side: 'front',
      format: 'Png',
      mimeType: 'image/png',
      resolution: 200,
      barcodes: [],
      ocrText: '',
      sha256: /^[\da-f]{64}$/,
      url: `/api/scans/${id}/pages/1`,
    });
    t.ok(first?.report.some(({ parameter }) => parameter === 'colorMode'));
    const { pages: _, ...summary } = scan;
    t.same(await list(), { success: true, scans: [summary], count: 1 });
    t.match((await call('DELETE', `/api/scans/${id}`)).json(), { success: true, message: /./ });
    t.same((await list()).scans, []);
    t.same(codeOf(await call('DELETE', `/api/scans/${id}`)), { code: 'scan-not-found' });
  });

t.test('list: in parts, each scan once, although some are deleted between two parts', async t => {
  const { started, ended, call, driver } = await service(t);
  const ids: string[] = [];
  for (let count = 0; count < 7; count++) {
    driver.load(1);
    ids.push(await started());
    await ended(ids[count]!);
  }
  const part = async (query: string) => (await call('GET', `/api/scans?${query}`)).json<ScanList>();
  const idsOf = ({ scans }: ScanList) => scans.map(({ id }) => id);
  const first = await part('limit=3');
  t.same([idsOf(first), first.count], [ids.slice(0, 3), 3]);
  for (const id of [ids[0]!, ids[2]!, ids[4]!]) await call('DELETE', `/api/scans/${id}`);
  const second = await part(`limit=2&after=${first.next}`);
  const seen = [...idsOf(first), ...idsOf(second)];
  const third = await part(`limit=2&after=${second.next}`);
  t.same(new Set([...seen, ...idsOf(third)]), new Set(ids.filter((_, at) => at !== 4)));
  t.notOk('next' in third, 'the last part says so');
  t.same(idsOf(await part(`after=${ids[3]}`)), [ids[5], ids[6]], 'by the id of a scan');
  t.same(idsOf(await part('limit=999')), [ids[1], ids[3], ids[5], ids[6]]);
  t.same(idsOf(await part('after=9999999999999.x')), []);
  for (const [query, field] of [
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=two', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['after=', 'after'],
    [`after=${ids[0]}`, 'after'],
    ['after=1.2.3', 'after'],
  ] as const) {
    const refused = await call('GET', `/api/scans?${query}`);
    t.equal(refused.statusCode, 400, query);
    t.match(codeOf(refused), { code: 'invalid-value', field });
  }
});

t.test('scans: refused before paper moves, the error of a scan and no scan', async t => {
  const { start, list, driver } = await service(t, { sheets: 1 });
  const cases = [
    [{ parameters: { jpegQuality: 0 } }, 400, { code: 'invalid-value', field: 'jpegQuality' }],
    [{ parameters: { resolution: 99 } }, 400, { code: 'invalid-value', field: 'resolution' }],
    [{ scannerName: 5 }, 400, { code: 'invalid-value', field: 'scannerName' }],
    [{ scannerName: 'None' }, 404, { code: 'device-not-found' }],
  ] as const;
  for (const [payload, status, code] of cases) {
    const answer = await start({}, payload);
    t.equal(answer.statusCode, status, JSON.stringify(payload));
    t.match(codeOf(answer), code);
    const { success, error, ...facts } = answer.json<Record<string, unknown>>();
    t.match({ success, error }, { success: false, error: /\w/ });
    const { accepts: _, ...said } = codeOf(answer) as Record<string, unknown>;
    t.same(facts, said, 'what the header says, but for what the sentence says');
  }
  t.same([(await list()).scans, driver.fed], [[], 0]);
});

t.test('scans: one at a time, the second is busy', async t => {
  const { start, started, ended, driver } = await service(t, { sheets: 2 });
  driver.hold();
  const id = await started();
  const second = await start();
  t.equal(second.statusCode, 409);
  t.same(codeOf(second), { code: 'busy' });
  driver.release();
  t.match(await ended(id), { state: 'completed', pageCount: 2 });
});

t.test('scans: cancelled before paper moves, refused as busy', async t => {
  const { start, list, scans, driver } = await service(t, { sheets: 1, discovery: 'held' });
  const starting = start();
  while (!scans.cancel()) await new Promise(resolve => setImmediate(resolve));
  driver.discover();
  const answer = await starting;
  t.equal(answer.statusCode, 409);
  t.same(codeOf(answer), { code: 'busy' });
  t.same((await list()).scans, []);
});

t.test('scans: for another owner and for an unknown id, the same answer', async t => {
  const { call, started, ended, list } = await service(t, { sheets: 1 });
  const id = await started({ origin: A });
  await ended(id, { origin: A });
  const calls = [
    ['GET', ''],
    ['GET', '/pages/1'],
    ['HEAD', '/pages/1'],
    ['GET', '/events'],
    ['POST', '/cancel'],
    ['POST', '/continue'],
    ['DELETE', ''],
  ] as const;
  for (const [method, path] of calls) {
    for (const headers of [{ origin: B }, {}] as Record<string, string>[]) {
      const foreign = await call(method, `/api/scans/${id}${path}`, headers);
      const unknown = await call(method, `/api/scans/${id.replace(/.$/, '_')}${path}`, headers);
      t.equal(foreign.statusCode, 404, `${method} ${path}`);
      t.same(codeOf(foreign), { code: 'scan-not-found' });
      t.equal(foreign.body, unknown.body);
      const { date: _one, ...one } = foreign.headers;
      const { date: _two, ...two } = unknown.headers;
      t.same(one, two);
    }
  }
  t.same([(await list({ origin: B })).count, (await list()).count], [0, 0]);
  t.same(
    (await list({ origin: A.toUpperCase() })).scans.map(each => each.id),
    [id],
    'an origin has no letter case',
  );
});

t.test("scans: the service's own page without an Origin, its own scans", async t => {
  const { started, list } = await service(t, { sheets: 1 });
  const id = await started({ host: 'localhost', origin: 'http://localhost' });
  const same = await list({ host: 'localhost', 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' });
  t.same(
    same.scans.map(each => each.id),
    [id],
  );
  t.equal((await list({ host: 'localhost' })).count, 0, 'a program');
});

t.test('scans: pages with the opaque origin null find a scan by its id only', async t => {
  const { started, ended, list } = await service(t, { sheets: 1 });
  const id = await started({ origin: 'null' });
  t.match(await ended(id, { origin: 'null' }), { state: 'completed' });
  t.equal((await list({ origin: 'null' })).count, 0);
});

t.test('cancel: the sheet in the path still comes out; again, no effect', async t => {
  const { call, started, ended, driver } = await service(t, { sheets: 5 });
  driver.hold();
  const id = await started();
  await driver.whenFed(1);
  const cancelled = await call('POST', `/api/scans/${id}/cancel`);
  t.equal(cancelled.statusCode, 200);
  t.match(cancelled.json(), { id, success: true });
  driver.release();
  const scan = await ended(id);
  t.match(scan, { state: 'cancelled', code: 'cancelled', error: /./ });
  t.equal(scan.pageCount, driver.fed);
  t.ok(driver.fed < 5);
  t.match((await call('POST', `/api/scans/${id}/cancel`)).json(), { state: 'cancelled', pageCount: scan.pageCount });
});

t.test('continue: after a jam, page and sheet numbers go on; while it runs, busy', async t => {
  const { call, started, ended, driver } = await service(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  const id = await started();
  t.match(await ended(id), { state: 'failed', code: 'paper-jam', error: /./, pageCount: 1 });
  driver.clearFaults();
  driver.load(2);
  const fed = driver.fed;
  driver.hold();
  const on = await call('POST', `/api/scans/${id}/continue`);
  t.equal(on.statusCode, 200);
  t.match(on.json(), { id, state: 'running', pageCount: 1 });
  t.notOk('code' in on.json<object>());
  await driver.whenFed(fed + 1);
  for (const [method, path] of [
    ['POST', '/continue'],
    ['DELETE', ''],
  ] as const) {
    const answer = await call(method, `/api/scans/${id}${path}`);
    t.equal(answer.statusCode, 409, path);
    t.same(codeOf(answer), { code: 'busy' });
  }
  driver.release();
  const scan = await ended(id);
  t.match(scan, { state: 'completed' });
  t.same(
    scan.pages.map(({ number, sheet }) => [number, sheet]),
    Array.from({ length: 1 + driver.fed - fed }, (_, at) => [at + 1, at + 1]),
  );
});

t.test('no paper: a failed scan without pages, to continue when there is some', async t => {
  const { call, started, ended, driver } = await service(t);
  const id = await started();
  t.match(await ended(id), { state: 'failed', code: 'no-paper', pageCount: 0 });
  driver.load(1);
  t.equal((await call('POST', `/api/scans/${id}/continue`)).statusCode, 200);
  t.match(await ended(id), { state: 'completed', pageCount: 1 });
});

t.test('continue: refused, the scan stays as it was', async t => {
  const { call, started, ended, driver } = await service(t, { sheets: 1 });
  const id = await started();
  const before = await ended(id);
  driver.unplug();
  const refused = await call('POST', `/api/scans/${id}/continue`);
  t.equal(refused.statusCode, 500);
  t.same(codeOf(refused), { code: 'device-offline' });
  t.same(await ended(id), before);
});

t.test('storage-full: refused, until a client has fetched a whole scan', async t => {
  const { call, start, started, ended, driver } = await service(
    t,
    { sheets: 2 },
    { config: { scans: { keepBytes: 1 } } },
  );
  const id = await started();
  const { pages } = await ended(id);
  driver.load(1);
  const refused = await start();
  t.equal(refused.statusCode, 507);
  t.same(codeOf(refused), { code: 'storage-full' });
  t.equal((await call('POST', `/api/scans/${id}/continue`)).statusCode, 507);
  for (const { url } of pages) {
    await call('HEAD', url);
    await call('GET', url, { range: 'bytes=0-9' });
    await call('GET', `${url}?width=16`);
  }
  t.equal((await start()).statusCode, 507, 'no page was fetched whole');
  for (const { url } of pages) await call('GET', url);
  t.equal((await start()).statusCode, 201);
  t.equal((await call('GET', `/api/scans/${id}`)).statusCode, 404);
});

t.test('a damaged page: it has a code and a sentence, the others are served', async t => {
  const { call, started, ended, read, dataDir } = await service(t, { sheets: 2 });
  const id = await started();
  await ended(id);
  await truncate(join(dataDir, 'scans', id, '1.page'), 5);
  const { pages } = await read(id);
  t.match(pages[0], { number: 1, code: 'storage-failed', error: /Page 1/ });
  t.notOk('code' in (pages[1] ?? {}));
  const broken = await call('GET', pages[0]?.url ?? '');
  t.equal(broken.statusCode, 500);
  t.same(codeOf(broken), { code: 'storage-failed' });
  t.same([broken.headers.etag, broken.headers['content-digest']], [undefined, undefined]);
  t.equal((await call('GET', `${pages[0]?.url}?width=100`)).statusCode, 500);
  t.equal((await call('GET', pages[1]?.url ?? '')).statusCode, 200);
});

t.test('many clients: each lists and fetches its own scan', async t => {
  const { call, started, ended, list, driver } = await service(t);
  const origins = Array.from({ length: 25 }, (_, n) => `https://client-${n}.example`);
  const ids: string[] = [];
  for (const origin of origins) {
    driver.load(1);
    const id = await started({ origin });
    await ended(id, { origin });
    ids.push(id);
  }
  const seen = await Promise.all(origins.map(async origin => (await list({ origin })).scans.map(each => each.id)));
  t.same(
    seen,
    ids.map(id => [id]),
  );
  const sizes = await Promise.all(
    origins.map(async (origin, n) => (await call('GET', `/api/scans/${ids[n]}/pages/1`, { origin })).statusCode),
  );
  t.same(new Set(sizes), new Set([200]));
});
