/** Pages are written while the next ones are scanned, and are kept however the scan ends. */
import { once } from 'node:events';
import { fakeDriver, type FakeDriverOptions, fakeFormat } from '@platen/conformance';
import { ScanError, systemClock, type Driver } from '@platen/core';
import t, { type Test } from 'tap';
import { createPageWriter } from './pages.js';
import { reachFakes } from './reach.test.kit.js';
import { startScanRun } from './scanRun.js';

/** After this many pages it waits for the end of the scan: it is no faster than who ends it. */
function waitingAfter(pages: number, driver: Driver): Driver {
  const open: Driver['open'] = async (id, call) => {
    const session = await driver.open(id, call);
    return {
      ...session,
      async *scan(order, scanCall) {
        let count = 0;
        for await (const page of session.scan(order, scanCall)) {
          if (++count > pages && !scanCall.stop.aborted) await once(scanCall.stop, 'abort');
          yield page;
        }
      },
    };
  };
  return Object.create(driver, { open: { value: open } }) as Driver;
}

/** A scan with the fake driver; `write` replaces the disk. */
async function scanning(
  t: Test,
  options: FakeDriverOptions,
  write: (page: number) => Promise<void> = async () => undefined,
  json = false,
  front: (driver: Driver) => Driver = driver => driver,
) {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }], ...options });
  const { service, kept } = await reachFakes(t, {
    drivers: [front(driver)],
    formats: [fakeFormat({ name: 'Png' })],
    recognisers: [
      { kind: 'barcode', read: async () => [{ text: 'A\u001b[2J\nB', barcodeType: 'QR_CODE', confidence: 0.987 }] },
      { kind: 'ocr', languages: ['eng'], read: async () => 'One\u0007\nTwo' },
    ],
  });
  const [out, err, written]: [string[], string[], number[]] = [[], [], []];
  const parameters = json ? {} : { barcodeReadingEnabled: true, ocrEnabled: true };
  const files = {
    async write(page: number) {
      await write(page);
      written.push(page);
      return `page-${page}.png`;
    },
  };
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const writer = createPageWriter({ files, io, clock: systemClock, json });
  const run = startScanRun({ scannerName: 'A', parameters }, service, writer.take);
  return { driver, run, out, err, written, kept, over: writer.write(run) };
}

t.test('page writer: a jam, writes the pages before it and then throws', async t => {
  const { over, err, written, kept } = await scanning(t, { sheets: 3, faults: { 2: 'paper-jam' } });
  await t.rejects(over, { code: 'paper-jam' });
  t.same(await kept(), [], 'the scan goes');
  t.same(written, [1]);
  t.match(err.at(-1), /^PaperJam: 1 page in \d+\.\d s$/);
});

t.test('page writer: an empty feeder', async t => {
  const { over, err } = await scanning(t, { sheets: 0 });
  await t.rejects(over, { code: 'no-paper' });
  t.match(err, [/^NoPaper: 0 pages in/]);
});

t.test('page writer: a full disk stops the feeding; later pages may fit; the first error is reported', async t => {
  const sheets = 30;
  const full = async (page: number): Promise<void> => {
    if (page === 2 || page === 3) throw new Error(`no space for ${page}`);
  };
  const { over, written, driver, err, kept } = await scanning(t, { sheets }, full, false, it => waitingAfter(4, it));
  await t.rejects(over, { code: 'storage-failed', message: /page 2.*no space for 2\. Pages? 2.* kept in / });
  t.equal(written[0], 1);
  t.notOk(written.includes(2));
  t.ok(driver.fed < sheets, `${driver.fed} of ${sheets} sheets were fed`);
  t.equal(written.length, driver.fed - Math.min(2, driver.fed - 1), 'every other sheet that was fed is kept');
  t.match(err.at(-1), /^StorageFailed: /);
  t.equal((await kept()).length, 1, 'the scan stays');
});

t.test('page writer: no room for the last page, the scan fails', async t => {
  const { over } = await scanning(t, { sheets: 1 }, async () => {
    throw new Error('full');
  });
  await t.rejects(over, { code: 'storage-failed', message: /page 1.*full/ });
});

t.test('page writer: a stopped scan keeps its pages', async t => {
  const sheets = 30;
  const stopping = async (page: number): Promise<void> => {
    if (page === 2) run.end(new ScanError('cancelled', 'The scan was stopped.'));
  };
  const { run, over, written, driver, err } = await scanning(t, { sheets }, stopping, false, it => waitingAfter(4, it));
  await t.rejects(over, { code: 'cancelled', message: 'The scan was stopped.' });
  t.ok(driver.fed < sheets);
  t.same(
    written,
    Array.from({ length: driver.fed }, (_, at) => at + 1),
    'every sheet that was fed',
  );
  t.match(err.at(-1), /^Cancelled: /);
});

t.test('page writer: page 2 is scanned before page 1 is written', async t => {
  const scan = await scanning(t, { sheets: 3 }, async page => {
    if (page === 1) await scan.driver.whenFed(2);
  });
  await scan.over;
  t.same(scan.written, [1, 2, 3]);
});

t.test('page writer: one line per page, and its barcodes and text with control characters escaped', async t => {
  const { over, out, err } = await scanning(t, { sheets: 2 });
  await over;
  t.same(
    out,
    ['page-1.png', 'page-2.png'].flatMap(file => [
      file,
      String.raw`  QR_CODE 0.99 A\u001b[2J\u000aB`,
      String.raw`  One\u0007`,
      '  Two',
    ]),
  );
  t.match(err[0], /^page 1 {2}front of sheet 1 {2}\d+ x \d+ pixels {2}200 dpi {2}\d+ ms {2}page-1\.png$/);
  t.match(err[2], /^Success: 2 pages in \d+\.\d s$/);
  t.equal(err.length, 3);
});

t.test("page writer: --json, one object per page in the interface's words", async t => {
  const { over, out } = await scanning(t, { sheets: 1 }, undefined, true);
  await over;
  t.match(
    out.map(line => JSON.parse(line) as unknown),
    [
      {
        file: 'page-1.png',
        sheet: 1,
        side: 'front',
        pageNumber: 1,
        format: 'Png',
        resolution: 200,
        width: Number,
        height: Number,
        fileSizeBytes: Number,
        ocrText: '',
        barcodes: [],
        report: Array,
      },
    ],
  );
});

t.test('page writer: a rejected request has no status line', async t => {
  const { over, err } = await scanning(t, { devices: [{ name: 'B' }] });
  await t.rejects(over, { code: 'device-not-found' });
  t.same(err, []);
});
