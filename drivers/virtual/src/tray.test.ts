/** Trays on a real disk: what goes wrong with them, and what moves where. */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import t from 'tap';
import { failureOf, files, never, orderOf, pagesOf, pattern, pixel, plain, put, rigOf } from './rig.test.kit.js';
import { trayAt } from './tray.js';

const red = await plain(40, 56, '#c02020');
const blue = await plain(40, 56, '#2020c0');
const isBlue = [32, 32, 192];

t.test('tray: folder missing, offline until it exists', async t => {
  const { session, driver, tray, said } = await rigOf(t, { tray: 'missing/tray' });
  const list = async () => {
    for await (const device of driver.devices({ signal: never() })) return device.online;
    return undefined;
  };
  t.equal(await list(), false);
  t.equal(await list(), false);
  t.equal(said.length, 1, 'is warned of once');
  t.match(said[0], /The tray of "A", .*missing.tray, does not exist\. Make the folder, or correct "tray"/);
  t.same(await session.status({ signal: never() }), { online: false, paper: 'unknown' });
  t.match(await failureOf(session, orderOf()), { pages: [], code: 'device-offline', message: /does not exist/ });
  await t.rejects(driver.insert!('A', red), { code: 'device-offline' });

  const folder = join(tray, '../missing/tray');
  await mkdir(folder, { recursive: true });
  await put(folder, 'a.png', red);
  t.equal(await list(), true, 'and heals when it is there');
  t.match(said[1], /works again/);
  t.equal((await pagesOf(session, orderOf())).length, 1);

  await rm(folder, { recursive: true });
  t.equal(await list(), false);
  t.equal(said.length, 3, 'and is warned of again when it is lost again');
});

t.test('tray: path of a file, offline', async t => {
  const { session, dir } = await rigOf(t, { tray: 'file' });
  await writeFile(join(dir, 'file'), '');
  t.match(await failureOf(session, orderOf()), { code: 'device-offline', message: /is not a folder/ });
});

t.test('tray: path below a file with createTray, offline', async t => {
  const { session, dir } = await rigOf(t, { tray: 'file/tray', createTray: true });
  t.match(await session.status({ signal: never() }), { online: true }, 'was made');
  await rm(join(dir, 'file'), { recursive: true });
  await writeFile(join(dir, 'file'), '');
  t.match(await failureOf(session, orderOf()), { code: 'device-offline', message: /is not a folder/ });
});

t.test('tray: folder removed during a scan, device-offline', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, 'a.png', red);
  await put(tray, 'b.png', red);
  const scan = session.scan(orderOf(), { signal: never(), stop: never() })[Symbol.asyncIterator]();
  t.equal((await scan.next()).done, false);
  await rm(tray, { recursive: true });
  await t.rejects(scan.next(), { code: 'device-offline' });
});

t.test('tray: taken away while a sheet is read or moved, device-offline, and not made anew', async t => {
  const path = join(t.testdir({ tray: { 'a.png': 'a' } }), 'tray');
  const tray = trayAt(path, { create: true, owner: 'A' });
  await rename(path, `${path}-away`);
  await t.rejects(tray.move(['a.png'], 'scanned'), { code: 'device-offline' });
  t.notOk(existsSync(path));
  await writeFile(path, 'not a folder');
  await t.rejects(tray.move(['a.png'], 'scanned'), { code: 'device-offline' });
  await t.rejects(tray.read('a.png'), { code: 'device-offline' });
  await t.rejects(tray.insert(Buffer.from('b'), 'b.png'), { code: 'device-offline' });
});

t.test('tray: file that is not an image, moved to rejected/ and driver-failed', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, '1.png', red);
  await put(tray, '2.png', 'Dear Sir');
  await put(tray, '3.png', red);
  const { pages, code, message } = await failureOf(session, orderOf());
  t.equal(pages.length, 1, 'keeps the page before it');
  t.equal(code, 'driver-failed');
  t.match(message, /^2\.png .*rejected\//);
  t.same([await files(tray), await files(join(tray, 'rejected'))], [['3.png'], ['2.png']]);
  t.equal((await pagesOf(session, orderOf())).length, 1, 'and the rest can be scanned');
});

t.test('tray: invalid back', async t => {
  const { png } = await pattern(310, 437, 75);
  const cut = png.subarray(0, png.length / 2);
  t.test('not an image, its front is not fed', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    await put(tray, 'a.front.png', red);
    await put(tray, 'a.back.png', 'no');
    t.match(await failureOf(session, orderOf({ duplexMode: 'DuplexLongEdge' })), {
      pages: [],
      message: /^a\.back\.png /,
    });
    t.same(await files(join(tray, 'rejected')), ['a.back.png', 'a.front.png'], 'the sides stay together');
  });
  t.test('truncated, fails after its front', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    await put(tray, 'a.front.png', red);
    await put(tray, 'a.back.png', cut);
    const { pages, code, message } = await failureOf(session, orderOf({ duplexMode: 'DuplexLongEdge' }));
    t.same([pages.length, code], [1, 'driver-failed']);
    t.match(message, /^a\.back\.png /);
    t.same(
      [await files(join(tray, 'scanned')), await files(join(tray, 'rejected'))],
      [['a.front.png'], ['a.back.png']],
    );
  });
});

t.test('tray: a name taken in scanned/, numbered', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  for (const sheet of [red, blue, red]) {
    await put(tray, 'page.png', sheet);
    await pagesOf(session, orderOf());
  }
  const scanned = join(tray, 'scanned');
  t.same(await files(scanned), ['page (2).png', 'page (3).png', 'page.png']);
  t.same(await readFile(join(scanned, 'page.png')), red);
  t.same(await readFile(join(scanned, 'page (2).png')), blue);
});

t.test('tray: links are not followed', async t => {
  const { session, tray, dir } = await rigOf(t, { tray: 'tray' });
  await put(dir, 'secret.png', red);
  await symlink(join(dir, 'secret.png'), join(tray, 'a.png'));
  t.match(await session.status({ signal: never() }), { paper: 'empty' });
  t.match(await failureOf(session, orderOf()), { code: 'no-paper' });

  await mkdir(join(dir, 'elsewhere'));
  await symlink(join(dir, 'elsewhere'), join(tray, 'scanned'));
  await put(tray, 'b.png', red);
  t.match(await failureOf(session, orderOf()), { pages: [], code: 'driver-failed', message: /b\.png .*scanned\// });
  t.same([await files(tray), await files(join(dir, 'elsewhere'))], [['b.png'], []], 'the sheet stays');
});

t.test(
  'tray: a link below the data folder is refused, an absolute path may be one',
  { skip: process.platform === 'win32' && 'links take rights there' },
  async t => {
    const { session, dir, driver } = await rigOf(t, { tray: 'trays/a', createTray: true });
    await mkdir(join(dir, 'elsewhere', 'a'), { recursive: true });
    await put(join(dir, 'elsewhere', 'a'), 'theirs.png', red);
    await rm(join(dir, 'trays'), { recursive: true });
    await symlink(join(dir, 'elsewhere'), join(dir, 'trays'));
    t.match(await session.status({ signal: never() }), { online: false, paper: 'unknown' });
    t.match(await failureOf(session, orderOf()), { pages: [], code: 'device-offline', message: /trays / });
    await t.rejects(driver.insert!('A', red), { code: 'device-offline' });
    t.same(await files(join(dir, 'elsewhere', 'a')), ['theirs.png']);
    const whole = await rigOf(t, { tray: join(dir, 'trays', 'a') });
    t.equal((await pagesOf(whole.session, orderOf())).length, 1);
  },
);

t.test(
  'tray: file name not in UTF-8, scanned like any other',
  { skip: process.platform !== 'linux' && 'such names are Linux’s' },
  async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    const odd = (text: string): Buffer => Buffer.concat([Buffer.from(`${tray}/`), Buffer.from(text, 'latin1')]);
    for (const [name, bytes] of [
      ['caf\xe9.png', red],
      ['caf\xe8.png', blue],
      ['no\xff.png', 'no image'],
      ['z\xe9.front.png', blue],
      ['z\xe9.back.png', red],
    ] as const) {
      await writeFile(odd(name), bytes);
      await utimes(odd(name), new Date(0), new Date(0));
    }
    await put(tray, 'zz.png', red);
    t.equal((await failureOf(session, orderOf())).pages.length, 2);
    t.equal((await pagesOf(session, orderOf({ duplexMode: 'DuplexLongEdge' }))).length, 4);
    t.same(await files(tray), []);
    t.same(await files(join(tray, 'scanned')), [
      'caf\ufffd (2).png',
      'caf\ufffd.png',
      'zz.png',
      'z\ufffd.back.png',
      'z\ufffd.front.png',
    ]);
    t.same(await files(join(tray, 'rejected')), ['no\ufffd.png']);
  },
);

t.test('tray: longest file name, moved beside one of the same name', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  for (const name of [`${'x'.repeat(251)}.png`, `${'ü'.repeat(125)}.png`, `a.${'y'.repeat(253)}`]) {
    for (const sheet of [red, blue]) {
      await put(tray, name, sheet);
      t.equal((await pagesOf(session, orderOf())).length, 1);
    }
    const [second, first] = (await files(join(tray, 'scanned'))).sort(
      (a, b) => Number(b.includes(' (2)')) - Number(a.includes(' (2)')),
    );
    t.same([first, Buffer.byteLength(second ?? '') <= 255], [name, true]);
    await rm(join(tray, 'scanned'), { recursive: true });
  }
  t.same(await files(tray), []);
});

t.test('tray: file of gigabytes, moved to rejected/ unread', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  for (const size of [300 * 2 ** 20, 2.5 * 2 ** 30]) {
    await put(tray, 'a.png', '');
    await truncate(join(tray, 'a.png'), size);
    await utimes(join(tray, 'a.png'), new Date(0), new Date(0));
    await put(tray, 'b.png', red);
    const before = process.memoryUsage().rss;
    t.match(await failureOf(session, orderOf()), { pages: [], code: 'driver-failed', message: /MB.*rejected/ });
    t.ok(process.memoryUsage().rss - before < 200 * 2 ** 20);
    t.equal((await pagesOf(session, orderOf())).length, 1);
  }
});

t.test('tray: file being written, waited for', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  const file = join(tray, 'a.png');
  const now = new Date();
  await writeFile(file, blue.subarray(0, 40));
  await utimes(file, now, now);
  const clock = mock.method(Date, 'now', () => now.getTime());
  t.teardown(() => clock.mock.restore());
  const scanning = pagesOf(session, orderOf());
  await new Promise(resolve => setTimeout(resolve, 20));
  clock.mock.restore();
  writeFileSync(file, blue);
  const [page] = await scanning;
  t.same(pixel(page!, 10, 10), isBlue);
});

t.test('tray: file added during a scan, part of it', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, '1.png', red);
  const scan = session.scan(orderOf(), { signal: never(), stop: never() })[Symbol.asyncIterator]();
  await scan.next();
  await put(tray, '2.png', red);
  t.equal((await scan.next()).done, false);
  t.equal((await scan.next()).done, true);
});

t.test('insert: a sheet into the feeder', async t => {
  t.test('not an image, or no tray: unsupported', async t => {
    const { driver, tray } = await rigOf(t, { tray: 'tray' });
    await t.rejects(driver.insert!('A', Buffer.from('no')), { code: 'unsupported', message: /image/ });
    await t.rejects(
      driver.insert!('A', (await pattern(64, 64)).png.subarray(0, 6000)),
      { code: 'unsupported', message: /truncated/ },
      'files are read to their end',
    );
    await t.rejects(driver.insert!('B', red), { code: 'device-not-found' });
    t.same(await files(tray), []);
    const bare = await rigOf(t);
    await t.rejects(bare.driver.insert!('A', red), { code: 'unsupported' });
  });
  t.test('feeder full: busy', async t => {
    const { driver, tray } = await rigOf(t, { tray: 'tray' });
    await Promise.all(Array.from({ length: 200 }, (_, at) => put(tray, `${at}.png`, red)));
    await t.rejects(driver.insert!('A', red), { code: 'busy', message: /200/ });
    t.equal((await files(tray)).length, 200);
    await rm(join(tray, '7.png'));
    await driver.insert!('A', red);
  });
  t.test('several sheets: fed in the order of insertion', async t => {
    const { driver, session, tray } = await rigOf(t, { tray: 'tray' });
    await driver.insert!('A', red);
    await driver.insert!('A', blue);
    t.match(await files(tray), [/^inserted-.*\.png$/, /^inserted-.*\.png$/]);
    t.match(await session.status({ signal: never() }), { paper: 'loaded' });
    const pages = await pagesOf(session, orderOf());
    t.same(
      pages.map(page => pixel(page, 9, 9)),
      [[192, 32, 32], isBlue],
    );
  });
});

t.test('watch: new paper is reported', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  const told = new Promise<string>(resolve => void session.watch!(resolve));
  await put(tray, 'a.png', red);
  t.equal(await told, 'paper');
});

t.test('watch: allowed without a tray, or with a missing one', async t => {
  for (const options of [{}, { tray: 'missing' }]) {
    const { session } = await rigOf(t, options);
    session.watch!(() => {})();
  }
});
