/**
 * The desktop application is lost during a scan: the pages that had arrived are in the answer, and everything works
 * when it is back.
 */
import t, { type Test } from 'tap';
import { get, inksOf, scan, until, untilFed, type ScanJson } from '../spec/calls.js';
import { untilConnected } from '../spec/desktopCalls.js';
import type { Platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { createInstallation, messages, type Installation } from './installation.js';

const parameters = { resolution: 75, colorMode: 'Color' };
const stack = sheets(1, 2, 3, 4, 5, 6, 7, 1, 2, 3);

async function connected(t: Test): Promise<{ installation: Installation; fixture: Fixture; host: Platen }> {
  const installation = await createInstallation(t);
  const [fixture, host] = await Promise.all([installation.service(), installation.host()]);
  await untilConnected(fixture);
  return { installation, fixture, host };
}

/** The pages of the answer are complete, and they are the first of the stack. */
async function keepsPages(t: Test, json: ScanJson, least: number): Promise<void> {
  t.match(json, { success: false, status: 'NotConnected' });
  t.equal(json.images.length, json.imageCount);
  t.ok(json.imageCount >= least && json.imageCount < stack.length, `${json.imageCount} pages`);
  t.same(
    await inksOf(json),
    stack.slice(0, json.imageCount).map(each => each.front),
  );
}

async function worksAgain(t: Test, fixture: Fixture): Promise<void> {
  await untilConnected(fixture);
  await fixture.load('duplex', sheets(3, 1));
  const { status, json } = await scan(fixture, 'duplex', parameters);
  t.equal(status, 200, json.message);
  t.same(await inksOf(json), [3, 1]);
  t.equal((await fixture.request('GET', '/health')).text, 'Healthy');
}

/** A signal during a scan: the sheet in the path is in the answer, and the answer is a failure. */
async function toldToStop(t: Test, fixture: Fixture, host: Platen): Promise<void> {
  await fixture.load('slow', stack);
  const scanning = scan(fixture, 'slow', parameters);
  await untilFed(fixture, 'slow', 2);
  host.signal('SIGTERM');
  const { status, json } = await scanning;
  t.equal(status, 503);
  await keepsPages(t, json, 2);
  t.equal((await host.ended).code, 0);
  t.equal(await fixture.scanned('slow'), json.imageCount, 'no scanned sheet is missing');
}

/** Auto-scan's stream gets an error and ends, and auto-scan can be enabled again. */
async function killedInAutoscan(t: Test, installation: Installation, fixture: Fixture): Promise<void> {
  const host = await installation.host();
  await untilConnected(fixture);
  const enable = () =>
    fixture.request('POST', '/api/twain/autoscan/enable', {
      body: { scannerName: fixture.name('slow'), parameters },
    });
  await fixture.load('slow', []);
  t.equal((await enable()).status, 200);
  const events = await fixture.events();
  await fixture.insert('slow', stack);
  await events.come(2);
  host.signal('SIGKILL');
  const all = await events.ended;
  t.same(
    all.map(each => each.event),
    [...all.slice(0, -1).map(() => 'image'), 'error'],
  );
  t.match(all.at(-1)?.data, { error: /desktop application/ });
  t.same(
    await inksOf({ images: all.slice(0, -1).map(each => each.data) } as unknown as ScanJson),
    stack.slice(0, all.length - 1).map(each => each.front),
  );
  t.equal((await fixture.request('GET', '/api/twain/autoscan/events')).status, 409);
  t.equal((await enable()).status, 503);
  t.equal((await fixture.request('POST', '/api/twain/autoscan/disable')).status, 200);

  const second = await installation.host();
  await untilConnected(fixture);
  await fixture.load('slow', []);
  t.equal((await enable()).status, 200);
  const again = await fixture.events();
  await fixture.insert('slow', sheets(5));
  t.match(await again.come(1), [{ event: 'image', data: { pageNumber: 1 } }]);
  t.equal((await fixture.request('POST', '/api/twain/autoscan/disable')).status, 200);
  t.match(await again.ended, [{ event: 'image' }, { event: 'disabled' }]);

  await toldToStop(t, fixture, second);
  await installation.host();
  await worksAgain(t, fixture);
}

// They mostly wait for the next dial, so they run side by side, the longest first. tap changes its options argument, so
// each test needs its own.
t.jobs = 2;
const side = () => ({ buffered: true });

t.test(
  'desktop application hangs: after 10 s the scan fails with the pages that had arrived, and the next one works when it continues',
  { ...side(), skip: process.platform === 'win32' && 'Windows cannot stop a process' },
  async t => {
    const { fixture, host } = await connected(t);
    await fixture.load('slow', stack);
    const scanning = scan(fixture, 'slow', parameters);
    await untilFed(fixture, 'slow', 2);
    host.signal('SIGSTOP');
    const { status, json } = await scanning;
    t.equal(status, 503);
    await keepsPages(t, json, 1);
    const health = await fixture.request('GET', '/health');
    t.equal(health.text, 'Degraded');
    t.match(
      (await get<{ error: string }>(fixture, '/api/twain/scanners')).json.error,
      /^The desktop application is not connected\. It has not answered for 10 seconds\.$/,
    );
    host.signal('SIGCONT');
    await worksAgain(t, fixture);
    await until(
      async () =>
        messages(host.log()).filter(line => /^The service \(version .*\) connected\.$/.test(line)).length >= 2,
    );
  },
);

t.test(
  'desktop application is killed: during POST /scan, POST /api/twain and auto-scan, the pages that had arrived are there',
  side(),
  async t => {
    const { installation, fixture, host } = await connected(t);
    await fixture.load('slow', stack);
    const scanning = scan(fixture, 'slow', parameters);
    await untilFed(fixture, 'slow', 3);
    host.signal('SIGKILL');
    const { status, json } = await scanning;
    t.equal(status, 503);
    await keepsPages(t, json, 2);
    t.equal((await scan(fixture, 'slow', parameters)).status, 503);
    const second = await installation.host();
    await worksAgain(t, fixture);
    const last = await scan(fixture, 'slow', parameters);
    t.equal(last.status, 200, 'the rest of the stack');
    t.ok(last.json.imageCount + json.imageCount <= stack.length);

    const call = (method: string, params: object) =>
      fixture.request('POST', '/api/twain', { body: { kind: 'twainlocalscanner', method, params } });
    t.equal((await call('openSource', { sourceName: fixture.name('slow') })).status, 200);
    await fixture.load('slow', stack);
    const direct = call('scan', parameters);
    await untilFed(fixture, 'slow', 3);
    second.signal('SIGKILL');
    const answer = await direct;
    t.equal(answer.status, 503);
    const { results, data } = answer.json as { results: object; data: ScanJson };
    t.match(results, { success: false, code: 'critical' }, 'in its envelope');
    await keepsPages(t, data, 2);
    await killedInAutoscan(t, installation, fixture);
  },
);
