/** `--manual-duplex` over a service of fakes: the flags, what a refusal, a lost service and notes do. */
import { fakeDriver, fakeDocumentFormat, fakeFormat, type FakeDriverOptions } from '@platen/conformance';
import { deferred, ScanError, systemClock } from '@platen/core';
import t, { type Test } from 'tap';
import { backsOrderOf, scanBothSides, type ManualDuplexParts } from './manualDuplex.js';
import { reachFakes } from './reach.test.kit.js';

t.test('manual duplex: the order, and flags that make no sense beside it', t => {
  t.equal(backsOrderOf({}), undefined);
  t.equal(backsOrderOf({ duplex: 'long', separate: 'blank' }), undefined);
  t.equal(backsOrderOf({ 'manual-duplex': 'Reversed', duplex: 'simplex', source: 'auto' }), 'reversed');
  t.equal(backsOrderOf({ 'manual-duplex': 'same', source: 'Feeder' }), 'same');
  for (const wrong of [
    { 'manual-duplex': 'both' },
    { 'manual-duplex': 'same', duplex: 'short' },
    { 'manual-duplex': 'same', source: 'flatbed' },
    { 'manual-duplex': 'same', separate: 'blank' },
    { 'manual-duplex': 'same', 'keep-separators': true },
  ])
    t.throws(() => backsOrderOf(wrong), { code: 'usage' }, JSON.stringify(wrong));
  t.end();
});

/** @param answers what happens at each question; whether Enter is pressed */
async function scanning(t: Test, options: FakeDriverOptions, answers: readonly (() => Promise<boolean>)[] = []) {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }], ...options });
  const format = fakeDocumentFormat();
  const contributions = { drivers: [driver], formats: [fakeFormat({ name: 'Png' })], documents: [format] };
  const { service, kept } = await reachFakes(t, contributions);
  const said: string[] = [];
  const stopping = deferred<never>();
  stopping.promise.catch(() => undefined);
  const left = [...answers];
  const parts: ManualDuplexParts = {
    order: 'reversed',
    enter: { isThere: async () => true, pressed: async () => (await left.shift()?.()) ?? false },
    io: { err: line => void said.push(line) },
    clock: systemClock,
    stopped: stopping.promise,
    onNote: () => undefined,
  };
  const scan = (more: Partial<ManualDuplexParts> = {}, scannerName = 'A') =>
    scanBothSides({ scannerName, parameters: {} }, service, { ...parts, ...more });
  return { driver, format, kept, said, scan, stop: (reason: Error) => stopping.reject(reason) };
}

t.test('manual duplex: pages in the order of the sheets; all scans go when the files are written', async t => {
  const { scan, driver, format, kept } = await scanning(t, { sheets: 2 }, [async () => (driver.load(2), true)]);
  const { pages, run } = await scan();
  t.same(
    pages.map(({ number, sheet, side }) => [number, sheet, side]),
    [
      [1, 1, 'front'],
      [2, 1, 'back'],
      [3, 2, 'front'],
      [4, 2, 'back'],
    ],
  );
  let bytes = 0;
  for await (const chunk of run.document({ format: 'fake', barcodes: 'true', searchable: 'false' }))
    bytes += chunk.length;
  t.ok(bytes > 0);
  t.equal(format.pages, 4);
  t.equal((await kept()).length, 2);
  await run.release();
  t.same(await kept(), []);
});

t.test('manual duplex: nobody can press Enter, nothing is scanned', async t => {
  const { scan, driver } = await scanning(t, { sheets: 2 });
  await t.rejects(scan({ enter: { isThere: async () => false, pressed: async () => false } }), { code: 'usage' });
  t.equal(driver.scans, 0);
});

t.test('manual duplex: the fronts are refused, as it is, and nothing is asked', async t => {
  const { scan, said } = await scanning(t, { sheets: 2 });
  await t.rejects(scan({}, 'B'), { code: 'device-not-found' });
  t.same(said, []);
});

t.test('manual duplex: stopped while the backs are scanned, both sides are kept', async t => {
  const { scan, driver, said, kept, stop } = await scanning(t, { sheets: 2 }, [
    async () => {
      driver.load(2);
      driver.hold();
      return true;
    },
  ]);
  const held: Promise<void>[] = [];
  const io = {
    err: (line: string) => void said.push(line),
    hold: (work: Promise<void>) => void held.push(work.then(() => driver.release())),
  };
  const scanned = scan({ io });
  await driver.whenFed(3);
  stop(new ScanError('cancelled', 'The scan was stopped.'));
  await t.rejects(scanned, {
    code: 'cancelled',
    message: /^The scan was stopped\. The fronts \(2 pages\) .* The backs \(1 page\) are/,
  });
  await Promise.all(held);
  t.equal((await kept()).length, 2);
});
