/** A grant that ends while its page scans: what is under way stops, and no page of paper is lost. */
import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Scan } from '../../shapes/schemas.js';
import { A, codeOf, service } from './scans/scans.test.kit.js';
import { openGrantFolder } from '../../consent/grantFolder.js';

const host = 'localhost:53052';
const page = { host, origin: A };

async function allowed(t: Test, sheets: number) {
  const made = await service(t, { sheets }, { config: { security: { origins: 'ask' } } });
  const { app, dataDir } = made;
  const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'x-platen-page': 'origins' };
  const act = (what: string, more: object = {}) =>
    app.inject({ method: 'POST', url: `/origins/${what}`, headers: own, payload: { origin: A, ...more } });
  const allow = (until?: Date) =>
    act('answers', { may: ['scan', 'auto-scan'], ...(until ? { until: until.toISOString() } : {}) });
  await allow();
  return { ...made, allow, revoke: () => act('revocations'), folder: openGrantFolder(dataDir) };
}

/** Collects a stream's text; `over` when it ends or breaks. */
function collected(response: IncomingMessage) {
  const got = { text: '', over: false };
  response.setEncoding('utf8');
  response.on('data', (text: string) => (got.text += text));
  response.once('close', () => (got.over = true));
  response.on('error', () => undefined);
  return got;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(5);
}

const eventsPath = '/api/twain/autoscan/events?report=true';

for (const [how, end] of [
  ['revoked on the page', async ({ revoke }) => void (await revoke())],
  ['removed by another process', async ({ folder }) => void folder.remove(A)],
  [
    'lapsed',
    async ({ allow }) => {
      // Refused when it is over before it is taken, on a busy machine.
      while ((await allow(new Date(Date.now() + 300))).statusCode !== 200);
    },
  ],
] satisfies [string, (its: Awaited<ReturnType<typeof allowed>>) => Promise<void>][])
  t.test(`auto-scan's stream, ${how}: it ends with an error, auto-scan ends, pages wait for the origin`, async t => {
    const its = await allowed(t, 2);
    const { call, driver, allow, scans, serve } = its;
    const enabled = await call('POST', '/api/twain/autoscan/enable', page, { scannerName: 'A', parameters: {} });
    t.equal(enabled.statusCode, 200);
    const open = await serve();
    const got = collected(await open(eventsPath, page));
    await until(() => got.text.split('event: image').length === 3);
    await end(its);
    await until(() => got.over);
    t.match(got.text, /event: error\ndata: \{.*"code":"consent-ended"\}/);
    await until(() => !scans.isAutoscanOf(A));
    driver.load(2);
    const { fed } = driver;
    await wait(50);
    t.equal(driver.fed, fed, 'no paper moves for it any more');
    t.equal(codeOf(await call('GET', eventsPath, page)).code, 'consent-required');
    await allow();
    t.equal((await call('GET', eventsPath, page)).statusCode, 409, 'it had every page');
  });

t.test('auto-scan without a reader, revoked: its undelivered pages wait until it is allowed again', async t => {
  const { call, allow, revoke, driver, scans, serve } = await allowed(t, 2);
  await call('POST', '/api/twain/autoscan/enable', page, { scannerName: 'A', parameters: {} });
  await driver.whenFed(2);
  await until(() => scans.kept.list(A).length > 0 || driver.remaining() === 0);
  await revoke();
  await until(() => !scans.isAutoscanOf(A));
  await allow();
  const open = await serve();
  const got = collected(await open(eventsPath, page));
  await until(() => got.over);
  t.equal(got.text.split('event: image').length - 1, 2);
  t.match(got.text, /event: disabled\ndata: \{.*"code":"consent-ended"\}/);
});

t.test('a kept scan that runs, revoked: it is cancelled, and its pages are there when it is allowed again', async t => {
  const { call, started, driver, revoke, allow, serve, read } = await allowed(t, 5);
  driver.hold();
  const id = await started(page);
  const open = await serve();
  const stream = open(`/api/scans/${id}/events`, page).then(collected, () => ({ over: true }));
  await driver.whenFed(1);
  await revoke();
  const got = await stream;
  await until(() => got.over);
  driver.release();
  for (const path of ['', '/events', '/pages/1', '/document'])
    t.equal(codeOf(await call('GET', `/api/scans/${id}${path}`, page)).code, 'consent-required', path);
  await allow();
  let scan: Scan;
  do {
    await wait(20);
    scan = await read(id, page);
  } while (scan.state === 'running');
  t.match(scan, { state: 'cancelled' });
  t.ok(driver.remaining() > 0, 'nothing more was fed');
  t.equal(scan.pageCount, driver.fed, 'each fed sheet is a page');
});

t.test('a scan in one answer, revoked: the answer has the finished pages', async t => {
  const { driver, revoke, call } = await allowed(t, 5);
  driver.hold();
  const answer = call('POST', '/api/twain/scan', page, { scannerName: 'A', parameters: {} });
  await driver.whenFed(1);
  await revoke();
  driver.release();
  t.match((await answer).json(), { success: false, status: 'Cancelled', imageCount: driver.fed });
  t.ok(driver.remaining() > 0);
});
