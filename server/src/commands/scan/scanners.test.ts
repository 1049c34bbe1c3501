/** The choice of the scanner, and how long a command waits for slow drivers. */
import { fakeClock } from '@platen/conformance';
import { PlatenError, type Scanner } from '@platen/client';
import t from 'tap';
import { allScanners, chooseScanner, scannerLine } from './scanners.js';

const listed = (name: string, more: Partial<Scanner> = {}): Scanner => ({
  name,
  manufacturer: 'Acme',
  model: 'S1',
  isOnline: true,
  hasFeeder: true,
  hasFlatbed: false,
  supportsDuplex: true,
  ...more,
});

/** The result of each search: an error, or these scanners; the last result repeats. */
function lister(...looks: readonly { names?: readonly string[]; fails?: unknown }[]) {
  const clock = fakeClock();
  const asked: (string | undefined)[] = [];
  return {
    clock,
    asked,
    async looked(name?: string) {
      asked.push(name);
      const { fails } = looks[Math.min(asked.length, looks.length) - 1] ?? {};
      if (fails !== undefined) throw fails;
    },
    client: {
      async listScanners() {
        const { names = [] } = looks[Math.min(asked.length, looks.length) - 1] ?? {};
        return names.map(each => listed(each));
      },
    },
  };
}

/** Advances a fake clock until a promise settles. */
async function played<T>(clock: { advance(ms: number): Promise<void> }, pending: Promise<T>): Promise<T> {
  let over = false;
  pending.finally(() => (over = true)).catch(() => undefined);
  for (let turn = 0; !over && turn < 10_000; turn += 1) await clock.advance(50);
  return pending;
}

t.test('chooseScanner: none, several and one scanner', async t => {
  const choose = (...names: string[]) => {
    const scanners = lister({ names });
    return chooseScanner(undefined, scanners, scanners.clock);
  };
  await t.rejects(choose(), { code: 'device-not-found', message: /No scanner/ });
  await t.rejects(choose('A', 'B "2"'), {
    code: 'usage',
    message: `--scanner takes a scanner's name, one of "A", "B "2"".`,
  });
  t.equal(await choose('A'), 'A');
});

t.test('chooseScanner: a given name is not checked; the scan does that', async t => {
  const scanners = lister({ names: ['A', 'B'] });
  t.equal(await chooseScanner('B', scanners, scanners.clock), 'B');
  t.equal(await chooseScanner('C', scanners, scanners.clock), 'C');
});

t.test('scanners: the search is told the name', async t => {
  const scanners = lister({ names: ['A', 'B'] });
  await chooseScanner('B', scanners, scanners.clock);
  await allScanners(scanners, scanners.clock);
  t.same(scanners.asked, ['B', undefined]);
});

t.test('scanners: waits for the desktop application, up to a limit', async t => {
  const fails = new PlatenError('not-connected', 'The desktop application is not connected.');
  const coming = lister({ fails }, { fails }, { names: ['A'] });
  t.equal(await played(coming.clock, chooseScanner(undefined, coming, coming.clock)), 'A');
  const away = lister({ fails });
  await t.rejects(played(away.clock, allScanners(away, away.clock)), { code: 'not-connected' });
  t.ok(away.asked.length > 10);
  const broken = lister({ fails: new Error('broken') }, { names: ['A'] });
  await t.rejects(allScanners(broken, broken.clock), { message: 'broken' }, 'any other failure is one');
});

t.test('scannerLine: tab-separated columns', async t => {
  t.equal(scannerLine(listed('A')), 'A\tAcme S1\tfeeder, duplex\tonline');
  t.match(scannerLine(listed('A', { inUse: 'other' })), /\tin use$/);
  t.match(scannerLine(listed('A', { inUse: 'own' })), /\tin use by a local program$/);
  t.match(scannerLine(listed('A', { inUse: 'own', isOnline: false })), /\toffline$/);
  t.equal(
    scannerLine(listed('B', { manufacturer: '', hasFlatbed: true, supportsDuplex: false, isOnline: false })),
    'B\tS1\tfeeder, flatbed\toffline',
  );
  t.equal(
    scannerLine(listed('A\n\u001b[2J', { model: 'S\t1' })),
    String.raw`A\u000a\u001b[2J` + '\tAcme ' + String.raw`S\u00091` + '\tfeeder, duplex\tonline',
    'a name is one column of one line',
  );
});
