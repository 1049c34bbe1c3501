/** `waitSeconds`: a scan that waits for a scanner in use, and who keeps its place. */
import { fakeClock } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { Scan } from '../../../shapes/schemas.js';
import { lines } from './document.test.kit.js';
import { A, B, codeOf, service } from './scans.test.kit.js';

const originOf = (origin: string) => ({ origin });
const GONE_MS = 15_000;

/** Auto-scan of one page has the scanner, until the test turns it off. */
async function busyService(t: Test) {
  const clock = fakeClock();
  const rig = await service(t, { devices: [{ name: 'A' }] }, { clock, documents: [lines()] });
  await rig.call('POST', '/api/twain/autoscan/enable', originOf(A), { scannerName: 'A' });
  const free = () => rig.call('POST', '/api/twain/autoscan/disable', originOf(A), {});
  const wait = async (waitSeconds = 60) => {
    const response = await rig.start(originOf(B), { waitSeconds });
    t.equal(response.statusCode, 201);
    return response.json<Scan>();
  };
  return { ...rig, clock, free, wait };
}

t.test('waitSeconds: a scanner in use, 201 with its place, and the scan begins when it is free', async t => {
  const { free, wait, ended, list } = await busyService(t);
  const first = await wait();
  t.match(first, { state: 'running', pageCount: 0, progress: { scanned: 0, finished: 0, placeInLine: 1 } });
  const second = await wait();
  t.match(second.progress, { placeInLine: 2 });
  t.match((await list(originOf(B))).scans, [{ progress: { placeInLine: 1 } }, { progress: { placeInLine: 2 } }]);
  await free();
  for (const { id } of [first, second]) {
    const scan = await ended(id, originOf(B));
    t.match(scan, { state: 'completed' });
    t.notOk('placeInLine' in scan.progress);
  }
});

t.test('waitSeconds: absent or 0, a scanner in use is busy', async t => {
  const { start } = await busyService(t);
  for (const more of [{}, { waitSeconds: 0 }]) {
    const response = await start(originOf(B), more);
    t.match([response.statusCode, codeOf(response)], [409, { code: 'busy' }]);
  }
});

t.test('waitSeconds: not a whole number up to 3600, invalid-value and nothing waits', async t => {
  const { start, list } = await service(t);
  for (const waitSeconds of [-1, 3601, 1.5, 'long'])
    t.match(codeOf(await start({}, { waitSeconds })), { code: 'invalid-value', field: 'waitSeconds' });
  t.same((await list()).scans, []);
});

t.test('waitSeconds: the time is up, the scan failed with busy and its stream says so', async t => {
  const { clock, wait, call, read } = await busyService(t);
  const { id } = await wait(10);
  const stream = call('GET', `/api/scans/${id}/events`, originOf(B));
  await clock.advance(10_000);
  const { body } = await stream;
  t.match(body, /event: progress\ndata: \{"scanned":0,"finished":0,"placeInLine":1\}\n/);
  t.match(body, /event: progress\ndata: \{"scanned":0,"finished":0\}\n/);
  t.match(body, /event: state\ndata: \{"state":"failed","code":"busy",/);
  t.match(await read(id, originOf(B)), { state: 'failed', code: 'busy', progress: { placeInLine: undefined } });
});

for (const [what, path] of [
  ['its events', 'events'],
  ['its next page', 'pages/1?wait=60'],
  ['its document', 'document'],
] as const)
  t.test(`waitSeconds: a client that reads ${what} keeps its place, and loses it when it hangs up`, async t => {
    const { app, clock, wait, read, ended, serve } = await busyService(t);
    const { id } = await wait(3600);
    const get = await serve();
    const asked = new Promise<void>(resolve => app.server.once('request', () => resolve()));
    const left = new Promise<void>(resolve =>
      app.server.once('request', (_request, response) => response.once('close', resolve)),
    );
    const reading = get(`/api/scans/${id}/${path}`, originOf(B));
    reading.catch(() => undefined);
    await asked;
    await clock.advance(GONE_MS * 2);
    t.match(await read(id, originOf(B)), { state: 'running', progress: { placeInLine: 1 } });
    app.server.closeAllConnections();
    await left;
    await clock.advance(GONE_MS);
    t.match(await ended(id, originOf(B)), { state: 'cancelled', code: 'cancelled' });
  });

t.test('waitSeconds: nobody asks for the scan, it is cancelled', async t => {
  const { clock, wait, ended } = await busyService(t);
  const { id } = await wait();
  await clock.advance(GONE_MS);
  t.match(await ended(id, originOf(B)), { state: 'cancelled' });
});

t.test('waitSeconds: cancelled by its owner, and by no other page', async t => {
  const { call, wait, ended } = await busyService(t);
  const { id } = await wait();
  t.match(codeOf(await call('POST', `/api/scans/${id}/cancel`, originOf(A))), { code: 'scan-not-found' });
  await call('POST', '/api/twain/cancel', originOf(B), {});
  t.match(await ended(id, originOf(B)), { state: 'cancelled', code: 'cancelled' });
});
