/** Faults, and every way to end a scan. */
import { createHash } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import { driverCodes } from '@platen/core/driver';
import { nullLog, ScanError } from '@platen/core/plugin';
import t from 'tap';
import { virtualDriver } from './driver.js';
import { readOptions, type ScannerOptions } from './options.js';
import { failureOf, files, never, orderOf, pagesOf, plain, put, rigOf, scanOf } from './rig.test.kit.js';

const red = await plain(40, 56, '#c02020');
const duplex = orderOf({ duplexMode: 'DuplexLongEdge' });

/** A scanner whose tray holds this many sheets. */
async function loaded(t: Parameters<typeof rigOf>[0], sheets: number, options: Partial<ScannerOptions> = {}) {
  const rig = await rigOf(t, { tray: 'tray', ...options });
  for (let n = 1; n <= sheets; n++) await put(rig.tray, `${n}.png`, red);
  return { ...rig, left: async () => (await files(rig.tray)).length };
}
const turn = (ms = 30) => new Promise(resolve => setTimeout(resolve, ms));

t.test('scan: an order beyond the capabilities, unsupported and no paper moved', async t => {
  const { session, left } = await loaded(t, 1, { resolutions: [75, 150], colorModes: ['Color'], pageSizes: ['A6'] });
  const refusals: [object, RegExp][] = [
    [{ source: 'flatbed' }, /flatbed/],
    [{ resolution: 200 }, /75, 150/],
    [{ colorMode: 'Grayscale' }, /Grayscale.*Color/],
    [{ pageSize: 'A4' }, /A4.*A6/],
    [{ duplexMode: 'DuplexLongEdge' }, /DuplexLongEdge.*Simplex/],
    [{ area: { x: 200, y: 0, width: 16, height: 10 } }, /216 x 10 mm.*215\.9 x 355\.6 mm/],
    [{ driverOptions: { backing: 'green' } }, /backing.*white, black/],
    [{ driverOptions: { gamma: 2 } }, /gamma/],
    [{ maxPixels: 310 * 437 - 1 }, /310 x 437.*135469/],
  ];
  for (const [wish, message] of refusals)
    t.match(await failureOf(session, orderOf(wish)), { pages: [], code: 'unsupported', message });
  t.equal(await left(), 1);
  t.equal((await pagesOf(session, orderOf({ maxPixels: 310 * 437 }))).length, 1);
});

t.test('scan: driver options, for one scan only; an area says that it was followed', async t => {
  const { session } = await loaded(t, 2);
  const area = { x: 0, y: 0, width: 215.9, height: 355.6 };
  const order = orderOf({ area, resolution: 75 });
  const [black] = await pagesOf(session, { ...order, sheets: 1, driverOptions: { backing: 'black' } });
  const [white] = await pagesOf(session, { ...order, sheets: 1 });
  t.same(black?.adjusted, ['area']);
  t.same([black?.data.at(-1), white?.data.at(-1)], [0, 255]);
});

t.test('faults: each throws its code', async t => {
  const { session, faults, left } = await loaded(t, 3);
  for (const fault of driverCodes) {
    faults.splice(0, 1, { sheet: 1, fault });
    const { pages, code, message } = await failureOf(session, orderOf());
    t.same([pages.length, code], [0, fault]);
    t.ok(message.length > 10);
  }
  t.equal(await left(), 3, 'the sheet stays in the tray');
});

t.test('faults: a jam at sheet 2, sheet 1 is delivered', async t => {
  const { session, tray, left } = await loaded(t, 3, { faults: [{ sheet: 2, fault: 'paper-jam' }] });
  const { pages, code, message } = await failureOf(session, orderOf());
  t.same([pages.length, code], [1, 'paper-jam']);
  t.match(message, /Sheet 2/);
  t.same([await left(), await files(join(tray, 'scanned'))], [2, ['1.png']]);
});

t.test('faults: built-in documents after a jam, the next scan feeds those that were left', async t => {
  const { session } = await rigOf(t, { samples: 3, faults: [{ sheet: 2, fault: 'paper-jam' }] });
  const first = await failureOf(session, orderOf());
  const second = await failureOf(session, orderOf());
  const third = await pagesOf(session, orderOf());
  const again = await failureOf(session, orderOf());
  t.same([first.code, second.code, third.length, again.code], ['paper-jam', 'paper-jam', 1, 'paper-jam']);
  const images = [first.pages, second.pages, third, again.pages].map(([page]) =>
    createHash('sha256')
      .update(page?.data ?? '')
      .digest('hex'),
  );
  t.equal(new Set(images).size, 3);
  t.equal(images[3], images[0], 'after the last document, the first one');
});

t.test('faults: need a sheet; always means every sheet', async t => {
  const { session, tray } = await loaded(t, 0, { faults: [{ sheet: 'always', fault: 'cover-open' }] });
  t.match(await failureOf(session, orderOf()), { code: 'no-paper' });
  await put(tray, 'a.png', red);
  t.match(await failureOf(session, orderOf()), { code: 'cover-open' });
});

t.test('faults: no-paper after the first sheet, the scan ends', async t => {
  const { session, left } = await loaded(t, 3, { faults: [{ sheet: 2, fault: 'no-paper' }] });
  t.equal((await pagesOf(session, orderOf())).length, 1);
  t.equal(await left(), 2);
});

t.test('faults: hang', async t => {
  t.test('stop is ignored, the signal ends it with its reason', async t => {
    const { session, left } = await loaded(t, 2, { faults: [{ sheet: 2, fault: 'hang' }] });
    const scan = scanOf(session);
    t.equal((await scan.next()).done, false);
    const second = scan.next();
    await turn(300);
    scan.stop();
    t.equal(await Promise.race([second.then(() => 'came'), turn().then(() => 'nothing')]), 'nothing');
    const reason = new ScanError('timeout', 'too long');
    scan.abandon(reason);
    t.equal(await second.catch((error: unknown) => error), reason);
    t.equal(await left(), 1);
    t.match(await scan.next(), { done: true });
    t.equal((await pagesOf(session, orderOf({ sheets: 1 }))).length, 1, 'the session is free');
  });
  t.test('at the first opening and the first closing', async t => {
    const faults = [
      { sheet: 'open', fault: 'hang' },
      { sheet: 'close', fault: 'hang' },
    ] as const;
    const [scanner] = readOptions({ scanners: [{ name: 'A', faults }] }, t.testdir());
    const driver = virtualDriver([scanner!], nullLog);
    const caller = new AbortController();
    const first = driver.open('A', caller);
    await turn();
    caller.abort(new ScanError('timeout', 'late'));
    await t.rejects(first, { code: 'timeout' });
    const session = await driver.open('A', { signal: never() });
    await t.rejects(session.close(), { code: 'timeout' });
    const next = await driver.open('A', { signal: never() });
    await next.close();
  });
  t.test('closing the session ends it', async t => {
    const { session, driver } = await loaded(t, 1, { faults: [{ sheet: 1, fault: 'hang' }] });
    const first = scanOf(session).next();
    await turn();
    await Promise.all([t.rejects(first, { code: 'cancelled' }), session.close()]);
    await driver.open('A', { signal: never() });
  });
  t.test('return() ends it', async t => {
    const { session, faults } = await loaded(t, 1, { faults: [{ sheet: 1, fault: 'hang' }] });
    const scan = scanOf(session);
    const first = scan.next();
    await turn();
    await scan.end();
    t.match(await first, { done: true });
    faults.length = 0;
    t.equal((await pagesOf(session, orderOf())).length, 1);
  });
});

t.test('scan: signal between two pulls, its reason is thrown', async t => {
  const { session, left } = await loaded(t, 3);
  const scan = scanOf(session);
  await scan.next();
  const reason = new ScanError('cancelled', 'enough');
  scan.abandon(reason);
  t.equal((await pagesOf(session, orderOf({ sheets: 1 }))).length, 1, 'frees the session at once');
  t.equal(await scan.next().catch((error: unknown) => error), reason, 'is thrown at the next pull');
  t.match(await scan.next(), { done: true });
  t.equal(await left(), 1);
});

t.test('scan: signal while a sheet is scanned, it stays in the feeder', async t => {
  const { session, left } = await loaded(t, 1, { msPerPage: 60_000 });
  const scan = scanOf(session);
  const first = scan.next();
  await turn();
  const reason = new ScanError('timeout', 'too long');
  scan.abandon(reason);
  t.equal(await first.catch((error: unknown) => error), reason);
  t.equal(await left(), 1);
});

t.test('scan: stop after a front, its back is the last page', async t => {
  const { session, left } = await loaded(t, 2, { duplex: true });
  const scan = scanOf(session, duplex);
  t.match(await scan.next(), { value: { sheet: 1, side: 'front' } });
  scan.stop();
  t.match(await scan.next(), { value: { sheet: 1, side: 'back' } });
  t.match(await scan.next(), { done: true });
  t.equal(await left(), 1);
});

t.test('scan: stop ends the wait for an unfinished file', async t => {
  const { session, tray, left } = await loaded(t, 1);
  const now = new Date();
  utimesSync(join(tray, '1.png'), now, now);
  const clock = mock.method(Date, 'now', () => now.getTime());
  t.teardown(() => clock.mock.restore());
  const scan = scanOf(session);
  const first = scan.next();
  await turn(100);
  scan.stop();
  t.match(await first, { done: true });
  t.equal(await left(), 1);
});

t.test('scan: return() after a front, the back is dropped and the files are moved', async t => {
  const { session, tray, left } = await loaded(t, 2, { duplex: true, msPerPage: 5 });
  const scan = scanOf(session, duplex);
  await scan.next();
  await scan.end();
  t.same([await left(), await files(join(tray, 'scanned'))], [1, ['1.png']]);
  t.match(await scan.next(), { done: true });
  t.equal((await pagesOf(session, duplex)).length, 2);
});

t.test('session: a second scan or session is busy, a closed one offline', async t => {
  const { session, driver } = await loaded(t, 2);
  const scan = scanOf(session);
  await scan.next();
  t.match(await failureOf(session, orderOf()), { code: 'busy' });
  await t.rejects(driver.open('A', { signal: never() }), { code: 'busy' });
  t.match(await scan.next(), { value: { sheet: 2 } });
  await scan.end();
  await session.close();
  t.match(await failureOf(session, orderOf()), { code: 'device-offline' });
  await (await driver.open('A', { signal: never() })).close();
  await driver.close();
  await t.rejects(driver.open('A', { signal: never() }), { code: 'driver-failed' });
});

t.test('continuous: two sheets ahead, stop loses none of them', async t => {
  const { session, left } = await loaded(t, 9, { feeding: 'continuous', duplex: true });
  const scan = scanOf(session, duplex);
  await scan.next();
  while ((await left()) > 6) await turn(5);
  await turn();
  t.equal(await left(), 6);
  scan.stop();
  const rest: number[] = [];
  for (let next = await scan.next(); !next.done; next = await scan.next()) rest.push(next.value.sheet);
  t.same(rest, [1, 2, 2, 3, 3]);
  t.equal(await left(), 6);
  t.equal((await pagesOf(session, duplex)).length, 12);
});

t.test('continuous: a jam is thrown after the pages that were fed', async t => {
  const { session } = await loaded(t, 4, { feeding: 'continuous', faults: [{ sheet: 3, fault: 'paper-jam' }] });
  const { pages, code } = await failureOf(session, orderOf());
  t.same([pages.length, code], [2, 'paper-jam']);
});

t.test('msPerPage: the least time per side', async t => {
  const { session } = await loaded(t, 1, { duplex: true, msPerPage: 60 });
  const began = performance.now();
  await pagesOf(session, duplex);
  t.ok(performance.now() - began >= 118, 'two sides of 60 ms');
});

t.test('scan: at most order.sheets sheets are fed', async t => {
  const { session, left } = await loaded(t, 3);
  t.equal((await pagesOf(session, orderOf({ sheets: 2 }))).length, 2);
  t.equal(await left(), 1);
});
