/** Which scanner is taken, and how long a command waits for those that are slow to show. */
import t from 'tap';
import { LIST_DEADLINE_MS, ScanError, type KnownDevice } from '@platen/core';
import { fakeClock, fakeDriver } from '@platen/core/testing';
import { allScanners, chooseScanner, scannerLine } from './scanners.js';

const driver = fakeDriver();
const known = (name: string, more: object = {}): KnownDevice =>
  ({ name, driver, device: { id: name, name, manufacturer: 'Acme', model: 'S1', online: true, feeder: true, flatbed: false, duplex: true, feeding: 'perSheet', ...more } });

/** Each listing takes so long and finds so many; the last one stays. */
function lister(...listings: readonly { ms?: number; names?: readonly string[]; fails?: unknown }[]) {
  const clock = fakeClock();
  let asked = 0;
  return {
    clock,
    asked: () => asked,
    async list() {
      const { ms = 0, names = [], fails } = listings[Math.min(asked++, listings.length - 1)] ?? {};
      if (ms > 0) await new Promise<void>(resolve => clock.after(ms, resolve));
      if (fails !== undefined) throw fails;
      return names.map(name => known(name));
    },
  };
}

/** Lets a fake clock run until a promise is settled. */
async function played<T>(clock: { advance(ms: number): Promise<void> }, pending: Promise<T>): Promise<T> {
  let over = false;
  pending.finally(() => (over = true)).catch(() => undefined);
  for (let turn = 0; !over && turn < 10_000; turn += 1) await clock.advance(50);
  return pending;
}

t.test('none, several, one', async t => {
  const choose = (...names: string[]) => {
    const scanners = lister({ names });
    return chooseScanner(undefined, scanners, scanners.clock);
  };
  await t.rejects(choose(), { code: 'device-not-found', message: 'This computer has no scanner: connect one, or install its driver.' });
  await t.rejects(choose('A', 'B "2"'), { code: 'usage', message: '--scanner takes the name of one of the scanners: "A", "B "2"".' });
  t.equal(await choose('A'), 'A');
});

t.test('one that was named is taken as it is: the scan says whether it is there', async t => {
  const scanners = lister({ names: ['A', 'B'] });
  t.equal(await chooseScanner('B', scanners, scanners.clock), 'B');
  t.equal(await chooseScanner('C', scanners, scanners.clock), 'C');
});

t.test('a driver that is slow to look around is waited for, at most ten listings', async t => {
  const late = LIST_DEADLINE_MS;
  const slow = lister({ ms: late, names: ['A'] }, { ms: late, names: ['A'] }, { ms: 10, names: ['A', 'B'] });
  t.same((await played(slow.clock, allScanners(slow, slow.clock))).map(each => each.name), ['A', 'B']);
  t.equal(slow.asked(), 3);
  const never = lister({ ms: late, names: ['A'] });
  t.same((await played(never.clock, allScanners(never, never.clock))).map(each => each.name), ['A']);
  t.equal(never.asked(), 10);
});

t.test('once the scanner that was named is there, nobody is waited for', async t => {
  const slow = lister({ ms: LIST_DEADLINE_MS, names: ['A'] }, { ms: LIST_DEADLINE_MS, names: ['A', 'B'] }, { ms: LIST_DEADLINE_MS, names: ['A', 'B', 'C'] });
  t.equal(await played(slow.clock, chooseScanner('B', slow, slow.clock)), 'B');
  t.equal(slow.asked(), 2);
});

t.test('the program that owns the scanners is waited for, and given up', async t => {
  const fails = new ScanError('not-connected', 'The desktop application is not connected.');
  const coming = lister({ fails }, { fails }, { names: ['A'] });
  t.equal(await played(coming.clock, chooseScanner(undefined, coming, coming.clock)), 'A');
  const away = lister({ fails });
  await t.rejects(played(away.clock, allScanners(away, away.clock)), { code: 'not-connected' });
  t.ok(away.asked() > 10);
  const broken = lister({ fails: new Error('broken') }, { names: ['A'] });
  await t.rejects(allScanners(broken, broken.clock), { message: 'broken' }, 'any other failure is one');
});

t.test('a line of the list', async t => {
  t.equal(scannerLine(known('A')), 'A\tAcme S1\tfeeder, duplex\tonline');
  t.equal(scannerLine(known('B', { manufacturer: '', flatbed: true, duplex: false, online: false })), 'B\tS1\tfeeder, flatbed\toffline');
});
