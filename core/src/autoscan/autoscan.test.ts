/** Auto-scan from enable to its end: pages, options, readers, idle time. */
import { fakeDriver } from '@platen/conformance';
import t from 'tap';
import { autoscanRig, FIVE_MINUTES, smallPage } from './autoscan.test.kit.js';

const feeder = { devices: [{ name: 'Desk', flatbed: false }], page: smallPage };
const BY_REQUEST = 'disabled: requested';

t.test('enable: sheets are inserted, each is scanned; page numbers count sides from enable', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass, scans } = autoscanRig(driver);
  t.same(await enable({ duplexMode: 'DuplexLongEdge' }, 'Desk'), []);
  const reader = read();
  driver.load(2);
  await pass();
  t.same(reader.got, ['1 front', '2 back', '3 front', '4 back']);
  await pass(60_000);
  driver.load(1);
  await pass();
  t.same(reader.got.slice(4), ['5 front', '6 back']);
  t.equal(driver.fed, 3);

  t.match(await scans.disableAutoscan(), { wasEnabled: true });
  await enable();
  const again = read();
  driver.load(1);
  await pass();
  t.same(again.got, ['1 front'], 'the next enabling counts anew, one side');
  t.match(reader.ids[0], /^\d+-1$/);
  t.equal(reader.ids[5], reader.ids[0]?.replace(/-1$/, '-6'));
  t.not(again.ids[0], reader.ids[0], 'and has its own ids');
});

t.test('page ids: after a restart, none repeats an id of an earlier run', async t => {
  const ids = await Promise.all(
    [0, 60_000].map(async later => {
      const driver = fakeDriver({ ...feeder, sheets: 1 });
      const { clock, enable, follow: read, pass } = autoscanRig(driver);
      await clock.advance(later);
      await enable({}, 'Desk');
      const { ids: own } = read();
      await pass();
      return own[0];
    }),
  );
  t.ok(ids[0] && ids[1]);
  t.not(ids[0], ids[1]);
});

t.test('enable: paper already in the feeder, scanned at once; pages wait for the first reader', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 3 });
  const { enable, follow: read, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass();
  t.equal(driver.fed, 3);
  const reader = read();
  await pass();
  t.same(reader.got, ['1 front', '2 front', '3 front']);
});

t.test('read: two readers, both get every page; one that reconnects gets the pages it missed', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass } = autoscanRig(driver);
  await enable({}, 'Desk');
  const [one, two] = [read(), read()];
  driver.load(1);
  await pass();
  one.leave();
  driver.load(2);
  await pass();
  t.same(
    [one.got, two.got],
    [
      ['1 front', 'over'],
      ['1 front', '2 front', '3 front'],
    ],
  );
  const back = read(one.ids[0]);
  await pass();
  t.same(back.got, ['2 front', '3 front']);
});

t.test('enable: already enabled, the new options apply from the next document', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass } = autoscanRig(driver);
  await enable({ format: 'Png', resolution: 100 }, 'Desk');
  const reader = read();
  driver.hold();
  driver.load(3);
  await pass();
  t.equal(driver.fed, 1, 'one sheet is in the path');
  await enable({ format: 'Jpeg', resolution: 300 });
  driver.release();
  await pass();
  t.same(
    reader.pages.map(({ format, dpi }) => `${format} ${dpi}`),
    ['Png 100', 'Jpeg 300', 'Jpeg 300'],
  );
  t.same(reader.got, ['1 front', '2 front', '3 front'], 'the count goes on');
  t.equal(driver.scans, 2);
  t.equal(new Set(reader.ids.map(id => id.split('-')[0])).size, 1);
  await enable({ resolution: 150 });
  driver.load(1);
  await pass();
  t.equal(reader.pages[3]?.dpi, 150, 'also between two documents');
});

t.test('enable: invalid options, rejected before paper moves; the earlier options stay', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass } = autoscanRig(driver);
  await t.rejects(enable({ resolution: 99 }, 'Desk'), { code: 'invalid-value', field: 'resolution' });
  t.throws(() => read(), { code: 'autoscan-off' });
  await enable({ resolution: 100 });
  await t.rejects(enable({ format: 'Bmp' }), { code: 'invalid-value' });
  const reader = read();
  driver.load(1);
  await pass();
  t.equal(reader.pages[0]?.dpi, 100);
});

t.test(
  'disable: during a capture, the sheet in the path comes out, undelivered pages are discarded, readers are told',
  async t => {
    const driver = fakeDriver(feeder);
    const { enable, follow: read, pass, scans, shelves } = autoscanRig(driver);
    await enable({}, 'Desk');
    driver.load(1);
    await pass();
    driver.hold();
    driver.load(5);
    await pass();
    t.equal(driver.fed, 2);
    const disabled = scans.disableAutoscan();
    await pass();
    t.throws(() => read(), { code: 'autoscan-off' }, 'it is ending');
    driver.release();
    await pass();
    t.match(await disabled, { wasEnabled: true, discarded: 2 });
    t.same([driver.fed, driver.remaining()], [2, 4]);
    t.match(shelves.seen, { kept: 2, dropped: 2, removed: 1 }, 'both pages were never delivered');
    t.match(await scans.disableAutoscan(), { wasEnabled: false, discarded: 0 });
    t.match(await scans.status(), { isSourceOpen: true }, 'the scanner stays open');
  },
);

t.test('disable: idle readers and busy ones, both are told; delivered pages are freed too', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass, scans, shelves } = autoscanRig(driver);
  await enable({}, 'Desk');
  const reader = read();
  const busy = scans.readAutoscan();
  driver.load(2);
  await pass();
  t.match(await busy.events.next(), { value: { kind: 'item' } });
  await scans.disableAutoscan();
  await reader.over;
  t.same(reader.got, ['1 front', '2 front', BY_REQUEST, 'over']);
  t.match(await busy.events.next(), { value: { kind: 'end', end: { event: 'disabled' } } });
  t.match(await busy.events.next(), { done: true });
  t.equal(shelves.seen.dropped, 2);
});

t.test('idle time: 5 min, counted from enable or from when the last reader left', async t => {
  const driver = fakeDriver(feeder);
  const { enable, follow: read, pass, scans } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass(FIVE_MINUTES - 1000);
  const [one, two] = [read(), read()];
  await pass(4 * FIVE_MINUTES);
  one.leave();
  await pass(2 * FIVE_MINUTES);
  t.doesNotThrow(() => read().leave(), 'one reader keeps it on');
  two.leave();
  await pass(FIVE_MINUTES - 1000);
  read().leave();
  await pass(FIVE_MINUTES - 1000);
  t.doesNotThrow(() => read().leave(), 'counted from the last one');
  await pass(FIVE_MINUTES);
  t.throws(() => read(), { code: 'autoscan-off' });
  t.match(await scans.disableAutoscan(), { wasEnabled: false, discarded: 0 });
});

t.test('idle time: 5 min without a reader, disabled with the undelivered pages, and logged', async t => {
  const driver = fakeDriver({ ...feeder, sheets: 2 });
  const { enable, follow: read, pass, shelves, log } = autoscanRig(driver);
  await enable({}, 'Desk');
  await pass();
  t.equal(shelves.seen.kept, 2);
  await pass(FIVE_MINUTES - 1000);
  t.equal(shelves.seen.dropped, 0);
  await pass(1000);
  t.throws(() => read(), { code: 'autoscan-off' });
  t.equal(shelves.seen.dropped, 2);
  t.match(log.at(-1), /Auto-scan on Desk is off: .* 5 minutes.* 2 pages/);
});

t.test('idle time: not a whole number of minutes, given in seconds', async t => {
  for (const [idleMs, words] of [
    [1000, '1 second'],
    [90_000, '90 seconds'],
    [60_000, '1 minute'],
  ] as const) {
    const { enable, pass, log } = autoscanRig(fakeDriver(feeder), { idleMs });
    await enable({}, 'Desk');
    await pass(idleMs);
    t.equal(log.at(-1)?.split(' for ')[1], `${words}.`);
  }
});

t.test('idle time: enabled again, not extended', async t => {
  const { enable, follow: read, pass } = autoscanRig(fakeDriver(feeder));
  await enable({}, 'Desk');
  await pass(FIVE_MINUTES - 1000);
  await enable();
  await pass(1000);
  t.throws(() => read(), { code: 'autoscan-off' });
});

t.test('end: any cause and any reader, no timer keeps the process alive', async t => {
  for (const end of ['disable', 'unplug', 'idle', 'close'] as const) {
    const driver = fakeDriver({ ...feeder, sheets: 1 });
    const { clock, enable, follow: read, pass, scans } = autoscanRig(driver);
    await enable({}, 'Desk');
    const readers = end === 'idle' ? [] : [read(), read()];
    await pass();
    if (end === 'disable') await scans.disableAutoscan();
    if (end === 'unplug') driver.unplug();
    if (end === 'idle') await pass(FIVE_MINUTES);
    if (end !== 'close') await pass();
    await scans.close('The service is stopping.');
    await Promise.all(readers.map(({ over }) => over));
    await pass();
    t.equal(clock.timers, 0, end);
  }
});
