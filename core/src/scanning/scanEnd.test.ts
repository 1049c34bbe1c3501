/** The log's line for each scan that ended: one, however it ended. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import { collect, fakeService, optionsWith } from '../service.test.kit.js';
import { endSentence } from './scanEnd.js';

/** What the lines of info about the ends of scans say. */
const endsIn = (log: readonly string[]): string[][] =>
  log.flatMap(line => {
    const found = /^info: The (scan) on (.+) (?:is (complete)|ended with ([a-z-]+)): pages (\d+), (\d+\.\d) s\.$/.exec(
      line,
    );
    return found ? [found.slice(1).filter(each => each !== undefined)] : [];
  });

t.test('end of a scan: complete, with pages and seconds', async t => {
  const driver = fakeDriver({ sheets: 3 });
  const { scan, clock, log } = fakeService(driver);
  driver.hold();
  const all = collect(scan());
  await driver.whenFed(1);
  await clock.advance(2500);
  driver.release();
  await all;
  t.same(endsIn(log), [['scan', 'Fake scanner', 'complete', '3', '2.5']]);
});

t.test('end of a scan: refused by its scanner, cancelled, not found, a full disk: one line, with the code', async t => {
  const empty = fakeService(fakeDriver({ devices: [{ flatbed: false }] }));
  await collect(empty.scan());
  t.match(endsIn(empty.log), [['scan', 'Fake scanner', 'no-paper', '0']]);

  const held = fakeDriver({ sheets: 3 });
  const service = fakeService(held);
  held.hold();
  const cancelled = collect(service.scan());
  await held.whenFed(1);
  service.scans.cancel();
  held.release();
  await cancelled;
  t.match(endsIn(service.log), [['scan', 'Fake scanner', 'cancelled']]);

  const { scans, log } = fakeService(fakeDriver({ sheets: 3 }));
  const options = optionsWith();
  await scans.scan({ scannerName: 'Nobody', options }, { keep: async () => undefined }).over;
  let room = 1;
  const keep = async () => (room-- > 0 ? undefined : new ScanError('storage-failed', 'The disk is full.'));
  await scans.scan({ scannerName: 'Fake scanner', options }, { keep }).over;
  t.match(endsIn(log), [
    ['scan', 'Nobody', 'device-not-found', '0'],
    ['scan', 'Fake scanner', 'storage-failed', '1'],
  ]);
});

t.test('end of a scan: the sentence has the scanner, the pages, the seconds and the code', async t => {
  const end = { kind: 'auto-scan', scannerName: 'Desk', pages: 7, seconds: 61.26, code: 'paper-jam' } as const;
  for (const part of ['Desk', 'auto-scan', 'paper-jam', '7', '61.3 s']) t.match(endSentence(end), part);
});
