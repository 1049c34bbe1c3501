/** A scan whose pages are read slowly: the feeder goes on, and a scan that is ended does not read the text of all that waits. */
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import type { BarcodeRecogniser, OcrRecogniser } from '../contract/recogniser.js';
import { fakeService } from '../service.test.kit.js';
import { deferred } from '../time/wait.js';
import { openSpool } from './spool.js';

const SHEETS = 9;

for (const isCancelled of [false, true])
  t.test(`pages that wait for their text, the scan ${isCancelled ? 'is cancelled' : 'completes'}`, async t => {
    const gate = deferred<void>();
    const slow: OcrRecogniser = {
      kind: 'ocr',
      languages: ['eng'],
      read: async () => {
        await gate.promise;
        return { text: 'read', words: [] };
      },
    };
    const driver = fakeDriver({ sheets: SHEETS });
    const spool = await openSpool(`${t.testdir({})}/spool`, 0);
    const run = fakeService(driver, { spool, recognisers: [slow] }).scan({ ocr: true });
    while (driver.remaining() > 0) await breathe();
    t.ok(run.got.length === 0, 'no page has its text');
    if (isCancelled) run.end(new ScanError('cancelled', 'The scan was cancelled.'));
    gate.resolve();
    t.equal((await run.over)?.code, isCancelled ? 'cancelled' : undefined);
    t.equal(run.got.length, SHEETS, 'every sheet that was fed is there');
    t.strictSame(
      run.got.map(({ sheet }) => sheet),
      Array.from({ length: SHEETS }, (_, i) => i + 1),
    );
    const read = run.got.filter(({ ocrText }) => ocrText === 'read').length;
    t.ok(isCancelled ? read > 0 && read < SHEETS : read === SHEETS, `${read} with text`);
    t.equal(run.notes.filter(({ code }) => code === 'ocr-failed').length, SHEETS - read);
    t.strictSame(spool.used, { memory: 0, disk: 0 });
  });

t.test('pages that wait for their barcodes, cancelled: each is read', async t => {
  const gate = deferred<void>();
  const slow: BarcodeRecogniser = {
    kind: 'barcode',
    read: async () => {
      await gate.promise;
      return [{ text: '1', barcodeType: 'CODE_128', confidence: 1 }];
    },
  };
  const driver = fakeDriver({ sheets: SHEETS });
  const spool = await openSpool(`${t.testdir({})}/spool`, 0);
  const run = fakeService(driver, { spool, recognisers: [slow] }).scan({
    barcode: { filterLevel: 'Normal', formats: [], stopAfterFirst: false },
  });
  while (driver.remaining() > 0) await breathe();
  run.end(new ScanError('cancelled', 'The scan was cancelled.'));
  gate.resolve();
  t.equal((await run.over)?.code, 'cancelled');
  t.strictSame(
    run.got.map(({ barcodes }) => barcodes.length),
    Array.from({ length: SHEETS }, () => 1),
  );
  t.strictSame(run.notes, []);
});
