/** Faults of a helper: one scan fails, the pages before it arrive, the next scan works, no process remains. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RawPage } from '@platen/core/plugin';
import { type Helper } from '@platen/driver-kit';
import t from 'tap';
import { helpers, lacking, never, orderOf, scanned, scripted, simulated, type Body } from './rig.test.kit.js';

const skip = lacking();
const fake = fileURLToPath(new URL('./fakeHelper.test.kit.js', import.meta.url));

/** Around a helper: calls back when its second page is read. Only that read has the short deadline. */
function aroundSecondRead(onRead: () => void, silenceMs: number) {
  let reads = 0;
  return (helper: Helper): Helper => ({
    ...helper,
    get generation() {
      return helper.generation;
    },
    call(verb, args, call) {
      if (verb !== 'read' || ++reads !== 2) return helper.call(verb, args, call);
      const answer = helper.call(verb, args, { ...call, deadlineMs: silenceMs });
      onRead();
      return answer;
    },
  });
}

/** A scan with a fault at its second sheet: its result, and the result of the next scan on the same session. */
async function second(fault: string, during: () => void = () => {}, silenceMs = 60_000) {
  const body = await simulated('feeder flatbed sensors', { around: aroundSecondRead(during, silenceMs) });
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await body.load(2);
  await body.fault(2, fault);
  const pages: RawPage[] = [];
  const iterator = session
    .scan(orderOf({ source: 'feeder' }), { signal: never(), stop: never() })
    [Symbol.asyncIterator]();
  pages.push((await iterator.next()).value as RawPage);
  const failure = await iterator.next().then(
    () => undefined,
    (error: { code: unknown; message: string }) => error,
  );
  await body.clearFaults();
  await body.load(1);
  const next = await scanned(session, { source: 'feeder' });
  const running = helpers().length;
  await session.close();
  const left = helpers().length;
  await body.dispose();
  return { pages, failure, next, running, left };
}

const strikes: Readonly<Record<string, () => ReturnType<typeof second>>> = {
  'SIGKILL in the middle of a page': () =>
    second('STUCK', () => helpers().forEach(pid => process.kill(pid, 'SIGKILL'))),
  'a backend that crashes in the middle of a page': () => second('CRASH'),
  'SIGSTOP in the middle of a page': () =>
    second('STUCK', () => helpers().forEach(pid => process.kill(pid, 'SIGSTOP')), 500),
  'a backend that hangs in the middle of a page': () => second('DEAF', () => {}, 500),
};

for (const [name, strike] of Object.entries(strikes)) {
  t.test(name, { skip }, async t => {
    const { pages, failure, next, running, left } = await strike();
    t.equal(pages.length, 1, 'the page before it arrived');
    t.equal(failure?.code, /hang|STOP/.test(name) ? 'timeout' : 'driver-failed');
    t.match(failure?.message, /^"platen:0" failed: the helper "sane" .+\.$/);
    t.equal(next.message, '');
    t.equal(next.pages.length, 1, 'the next scan works, on the same session');
    t.equal(running, 1, 'one helper runs');
    t.equal(left, 0, 'none remains');
  });
}

t.test('scan: the device is gone when its helper is replaced, offline', { skip }, async t => {
  const body = await simulated('flatbed');
  t.teardown(body.dispose);
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await body.fault(0, 'IO_ERROR');
  helpers().forEach(pid => process.kill(pid, 'SIGKILL'));
  t.match(await session.status({ signal: never() }), { online: false, paper: 'unknown' });
  t.match(await scanned(session, { source: 'flatbed' }), { pages: [], code: 'device-offline' });
  await body.clearFaults();
  t.match(await scanned(session, { source: 'flatbed' }), { code: undefined });
});

t.test('scan: a jam while the double-feed sensor reports, double-feed', { skip }, async t => {
  const body = await simulated('feeder sensors');
  t.teardown(body.dispose);
  const session = await body.driver.open(body.deviceId, { signal: never() });
  await body.load(2);
  await body.fault(2, 'DOUBLE_FEED');
  t.match(await scanned(session), { pages: { length: 1 }, code: 'double-feed' });
});

t.test('status: an open cover, detected without a scan', { skip }, async t => {
  const body = await simulated('feeder sensors');
  t.teardown(body.dispose);
  const session = await body.driver.open(body.deviceId, { signal: never() });
  t.strictSame(await session.status({ signal: never() }), { online: true, paper: 'empty' });
  await body.load(1);
  writeFileSync(join(body.body, 'cover-is-open'), '');
  t.strictSame(await session.status({ signal: never() }), { online: true, paper: 'loaded', detected: 'cover-open' });
});

/** The fault of each process of the scripted helper, in order; later processes work. */
async function withScript(
  t: { testdir(): string; teardown(end: () => Promise<void>): void },
  ...behaviours: string[]
): Promise<Body> {
  const folder = t.testdir();
  mkdirSync(folder, { recursive: true });
  behaviours.forEach((behaviour, n) => writeFileSync(join(folder, String(n + 1)), behaviour));
  const body = await scripted(process.execPath, fake, folder);
  t.teardown(body.dispose);
  return body;
}

async function list({ driver }: Body) {
  const devices = [];
  for await (const device of driver.devices({ signal: never() })) devices.push(device);
  return devices;
}

for (const behaviour of ['exit', 'garbage']) {
  t.test(`helper: starts with ${behaviour}, the call fails, the next one works`, async t => {
    const body = await withScript(t, behaviour);
    await t.rejects(body.driver.open('fake:0', { signal: never() }), {
      code: 'driver-failed',
      message: /^"fake:0" failed: the helper "sane"/,
    });
    const session = await body.driver.open('fake:0', { signal: never() });
    t.match(
      await scanned(session, { source: 'flatbed' }),
      { pages: [{ width: 8, height: 4 }], code: undefined },
      'the next one works',
    );
  });
}

t.test('helper: garbage in the middle of a page, the scan fails, the next one works', async t => {
  const body = await withScript(t, 'garbage-on-read');
  const session = await body.driver.open('fake:0', { signal: never() });
  t.match(await scanned(session, { source: 'flatbed' }), {
    pages: [],
    code: 'driver-failed',
    message: /invalid frame/,
  });
  t.match(
    await scanned(session, { source: 'flatbed' }),
    { pages: { length: 1 }, code: undefined },
    'the next scan works',
  );
});

t.test('listing: repeated at once, answered from the last one', async t => {
  const folder = t.testdir();
  const body = await scripted(process.execPath, fake, folder);
  t.teardown(body.dispose);
  t.strictSame(await list(body), await list(body));
  t.strictSame(readdirSync(folder), ['1.taken'], 'one helper was started');
});

t.test('driver: no libsane, logs the fix once and lists nothing until it works', async t => {
  const body = await withScript(t, 'libraries', 'libraries', 'libraries');
  t.match(
    await body.driver.check(),
    /^SANE's scanners cannot be used: .*libsane\.so\.1.* Install @platen\/driver-sane again.*"apt-get install libsane1".*"npm run build:native" in /,
  );
  t.strictSame(await list(body), []);
  t.strictSame(await list(body), []);
  t.match(await list(body), [{ id: 'fake:0', name: 'Fake Flat', online: true, flatbed: true, feeder: false }]);
  t.match(body.said, [/can be used again/], 'what check returned is not logged again');
});

t.test('driver: no helper, logs the fix once', async t => {
  const body = await scripted('/nowhere/platen-sane-helper');
  t.teardown(body.dispose);
  t.match(
    await body.driver.check(),
    /^SANE's scanners cannot be used: .*no program \/nowhere\/platen-sane-helper.* "npm run build:native" in /,
  );
  t.strictSame(await list(body), []);
  t.strictSame(body.said, []);
  await t.rejects(body.driver.open('fake:0', { signal: never() }), {
    code: 'driver-failed',
    message: /Install @platen\/driver-sane again/,
  });
});

t.test('listing: a scanner that cannot be asked, a guess; asked when it is opened', async t => {
  for (const [behaviour, online, words] of [
    ['busy', true, /in use by another program/],
    ['denied', false, /groups "scanner" and "lp"/],
  ] as const) {
    const body = await withScript(t, behaviour);
    t.match(await list(body), [{ id: 'fake:0', online, flatbed: true, feeder: false }]);
    t.match(body.said, [words]);
    const session = await body.driver.open('fake:0', { signal: never() });
    t.match(session.device, { name: 'Fake Flat', manufacturer: 'Fake', online: true });
    await session.close();
    t.match(await list(body), [{ online: true }]);
  }
});
