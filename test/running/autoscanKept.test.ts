/** `keep: true`: an auto-scan is a scan of its origin while it is on, and its pages stay until they are done with. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { quick } from '../spec/autoscanCalls.js';
import { until } from '../spec/calls.js';
import type { Fixture, FixtureOptions } from '../topology/topology.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

const shop = { origin: 'https://shop.example' };
const bank = { origin: 'https://bank.example' };

interface Scan {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly requestId?: string;
  readonly pageCount: number;
  readonly pages: readonly { readonly number: number; readonly url: string; readonly sha256: string }[];
}

async function begin(t: Test, options: FixtureOptions = {}) {
  const fixture = await topology.start({ recognisers: ['@platen/document-pdf'], ...options });
  t.teardown(async () => void (await fixture.stop()));
  const call = <T>(method: string, path: string, body?: object, headers: object = shop) =>
    fixture.request(method, path, { headers: { ...headers }, ...(body && { body }) }) as Promise<
      Omit<Awaited<ReturnType<Fixture['request']>>, 'json'> & { readonly json: T }
    >;
  const enable = (body: object = {}, headers: object = shop) =>
    call<{ scan: string }>(
      'POST',
      '/api/twain/autoscan/enable',
      { scannerName: fixture.name('duplex'), parameters: quick, keep: true, ...body },
      headers,
    );
  const scanOf = async (id: string): Promise<Scan> => (await call<Scan>('GET', `/api/scans/${id}`)).json;
  return { fixture, call, enable, scanOf };
}

t.test('keep: pages are there as they come, are a document, and stay when auto-scan is off', async t => {
  const { fixture, call, enable, scanOf } = await begin(t);
  const { status, json } = await enable({ requestId: 'mine' });
  t.equal(status, 200);
  const { scan: id } = json;
  t.match(await scanOf(id), { kind: 'autoscan', state: 'running', requestId: 'mine', pageCount: 0 });
  t.equal((await call('GET', `/api/scans/${id}`, undefined, bank)).status, 404, 'nobody else has it');
  await fixture.insert('duplex', sheets(1, 2));
  await until(async () => (await scanOf(id)).pageCount === 2);
  const first = await call('GET', `/api/scans/${id}/pages/1`);
  t.equal(first.status, 200);
  t.equal((await call('DELETE', `/api/scans/${id}`)).status, 409, 'it is on');
  await fixture.insert('duplex', sheets(3));
  await until(async () => (await scanOf(id)).pageCount === 3);
  t.equal((await call('GET', `/api/scans/${id}/pages/1`)).status, 200, 'a page that was fetched is still there');

  t.equal((await call('POST', `/api/scans/${id}/cancel`)).status, 200);
  await until(async () => (await scanOf(id)).state === 'completed');
  t.match((await call('GET', '/api/twain/status')).json, { success: true });
  const { scans } = (await call<{ scans: readonly Scan[] }>('GET', '/api/scans')).json;
  t.match(scans, [{ id, kind: 'autoscan', state: 'completed', pageCount: 3 }]);
  const document = await call('GET', `/api/scans/${id}/document?format=pdf`);
  t.equal(document.text.match(/\/Type\s*\/Page\b/g)?.length, 3);
  t.equal((await call('POST', '/api/twain/autoscan/disable')).status, 200);
  t.equal((await scanOf(id)).pageCount, 3, 'disabling discards none of them');
  t.equal((await call('DELETE', `/api/scans/${id}`)).status, 200);
  t.strictSame(await readdir(join(fixture.dataDir, 'scans')), []);
});

t.test('keep: its events are those of a scan, to the end', async t => {
  const { fixture, call, enable } = await begin(t);
  const { scan: id } = (await enable()).json;
  const stream = fixture.request('GET', `/api/scans/${id}/events`, { headers: { ...shop } });
  await fixture.insert('duplex', sheets(1, 2));
  await until(async () => (await call<Scan>('GET', `/api/scans/${id}`)).json.pageCount === 2);
  t.equal((await call('POST', '/api/twain/autoscan/disable')).status, 200);
  const { text } = await stream;
  t.strictSame(
    [...text.matchAll(/^event: (page|state)$/gm)].map(([, event]) => event),
    ['page', 'page', 'state'],
  );
  t.match(text, /"state":"completed"/);
});

t.test('keep: the service is killed, and every announced page is there', async t => {
  const { fixture, call, enable } = await begin(t);
  const { scan: id } = (await enable()).json;
  await fixture.insert('duplex', sheets(1, 2, 3));
  await until(async () => (await call<Scan>('GET', `/api/scans/${id}`)).json.pageCount === 3);
  const before = (await call<Scan>('GET', `/api/scans/${id}`)).json;
  await call('GET', before.pages[0]?.url ?? '');
  fixture.signal('SIGKILL');
  await fixture.ended;
  const after = await begin(t, { dataDir: fixture.dataDir });
  const found = await after.scanOf(id);
  t.match(found, { kind: 'autoscan', state: 'interrupted', pageCount: 3 });
  t.strictSame(
    found.pages.map(({ sha256 }) => sha256),
    before.pages.map(({ sha256 }) => sha256),
  );
  t.equal((await after.call('GET', found.pages[2]?.url ?? '')).status, 200);
});

t.test('keep: one that is on without it says so; a bad value is ignored, and named', async t => {
  const { call, enable, fixture } = await begin(t);
  for (const bad of [{ keep: 'yes' }, { keep: true, requestId: 'with blanks' }]) {
    const body = { scannerName: fixture.name('duplex'), parameters: quick, ...bad };
    const { status, text } = await fixture.request('POST', '/api/twain/autoscan/enable', {
      ...{ body, headers: shop, asIs: true },
    });
    t.equal(status, 200);
    t.match(text, Object.keys(bad).at(-1) ?? '');
    t.equal((await call('POST', '/api/twain/autoscan/disable')).status, 200);
  }
  t.equal((await enable({ keep: false })).json.scan, undefined);
  t.equal((await enable()).status, 409);
  t.equal((await call('POST', '/api/twain/autoscan/disable')).status, 200);
  const { status, json } = await enable();
  t.equal(status, 200);
  t.equal((await enable({ keep: false })).status, 200, 'new parameters of one that keeps');
  t.equal((await enable()).json.scan, json.scan, 'again: the same one');
});
