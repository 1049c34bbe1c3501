/** Trays on a real disk: what goes wrong with them, and what moves where. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { failureOf, files, never, orderOf, pagesOf, pattern, pixel, plain, put, rigOf } from './rig.test.helper.js';

const red = await plain(40, 56, '#c02020');
const blue = await plain(40, 56, '#2020c0');
const isBlue = [32, 32, 192];

t.test('a tray that does not exist', async t => {
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
  t.match(await failureOf(session, orderOf()), { pages: [], code: 'device-offline', message: /does not exist\. Make the folder/ });
  await t.rejects(driver.insert!('A', red), { code: 'device-offline' });

  const folder = join(tray, '../missing/tray');
  await mkdir(folder, { recursive: true });
  await put(folder, 'a.png', red);
  t.equal(await list(), true, 'and heals when it is there');
  t.match(said[1], /is back/);
  t.equal((await pagesOf(session, orderOf())).length, 1);

  await rm(folder, { recursive: true });
  t.equal(await list(), false);
  t.equal(said.length, 3, 'and is warned of again when it is lost again');
});

t.test('a tray that is no folder', async t => {
  const { session, dir } = await rigOf(t, { tray: 'file' });
  await writeFile(join(dir, 'file'), '');
  t.match(await failureOf(session, orderOf()), { code: 'device-offline', message: /is not a folder/ });
});

t.test('a tray below a file, with createTray', async t => {
  const { session, dir } = await rigOf(t, { tray: 'file/tray', createTray: true });
  t.match(await session.status({ signal: never() }), { online: true }, 'was made');
  await rm(join(dir, 'file'), { recursive: true });
  await writeFile(join(dir, 'file'), '');
  t.match(await failureOf(session, orderOf()), { code: 'device-offline', message: /is not a folder/ });
});

t.test('a folder that goes away while it is scanned', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, 'a.png', red);
  await put(tray, 'b.png', red);
  const scan = session.scan(orderOf(), { signal: never(), stop: never() })[Symbol.asyncIterator]();
  t.equal((await scan.next()).done, false);
  await rm(tray, { recursive: true });
  await t.rejects(scan.next(), { code: 'device-offline' });
});

t.test('a file that is no image', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, '1.png', red);
  await put(tray, '2.png', 'Dear Sir');
  await put(tray, '3.png', red);
  const { pages, code, message } = await failureOf(session, orderOf());
  t.equal(pages.length, 1, 'keeps the page before it');
  t.equal(code, 'driver-failed');
  t.match(message, /^2\.png in the tray .* is no image .* It was moved to rejected\/\.$/);
  t.same([await files(tray), await files(join(tray, 'rejected'))], [['3.png'], ['2.png']]);
  t.equal((await pagesOf(session, orderOf())).length, 1, 'and the rest can be scanned');
});

t.test('a broken back', async t => {
  const { png } = await pattern(310, 437, 75);
  const cut = png.subarray(0, png.length / 2);
  t.test('that is no image keeps its front from being fed', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    await put(tray, 'a.front.png', red);
    await put(tray, 'a.back.png', 'no');
    t.match(await failureOf(session, orderOf({ duplexMode: 'DuplexLongEdge' })), { pages: [], message: /^a\.back\.png / });
    t.same(await files(join(tray, 'rejected')), ['a.back.png', 'a.front.png'], 'the sides stay together');
  });
  t.test('that ends too early comes after its front', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    await put(tray, 'a.front.png', red);
    await put(tray, 'a.back.png', cut);
    const { pages, code, message } = await failureOf(session, orderOf({ duplexMode: 'DuplexLongEdge' }));
    t.same([pages.length, code], [1, 'driver-failed']);
    t.match(message, /^a\.back\.png .* is a broken image/);
    t.same([await files(join(tray, 'scanned')), await files(join(tray, 'rejected'))], [['a.front.png'], ['a.back.png']]);
  });
});

t.test('nothing in scanned/ is overwritten', async t => {
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

t.test('links are not followed', async t => {
  const { session, tray, dir } = await rigOf(t, { tray: 'tray' });
  await put(dir, 'secret.png', red);
  await symlink(join(dir, 'secret.png'), join(tray, 'a.png'));
  t.match(await session.status({ signal: never() }), { paper: 'empty' });
  t.match(await failureOf(session, orderOf()), { code: 'no-paper' });

  await mkdir(join(dir, 'elsewhere'));
  await symlink(join(dir, 'elsewhere'), join(tray, 'scanned'));
  await put(tray, 'b.png', red);
  t.match(await failureOf(session, orderOf()), { pages: [], code: 'driver-failed', message: /b\.png cannot be moved to scanned\/ .* is a link/ });
  t.same([await files(tray), await files(join(dir, 'elsewhere'))], [['b.png'], []], 'the sheet stays');
});

t.test('a file that is being written is waited for', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await writeFile(join(tray, 'a.png'), blue.subarray(0, 40));
  const scanning = pagesOf(session, orderOf());
  await new Promise(resolve => setTimeout(resolve, 20));
  await writeFile(join(tray, 'a.png'), blue);
  const [page] = await scanning;
  t.same(pixel(page!, 10, 10), isBlue);
});

t.test('a file that comes during a scan belongs to it', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  await put(tray, '1.png', red);
  const scan = session.scan(orderOf(), { signal: never(), stop: never() })[Symbol.asyncIterator]();
  await scan.next();
  await put(tray, '2.png', red);
  t.equal((await scan.next()).done, false);
  t.equal((await scan.next()).done, true);
});

t.test('insert', async t => {
  t.test('refuses what is no image, and a scanner without a tray', async t => {
    const { driver, tray } = await rigOf(t, { tray: 'tray' });
    await t.rejects(driver.insert!('A', Buffer.from('no')), { code: 'unsupported', message: /What was inserted is no image/ });
    await t.rejects(driver.insert!('A', (await pattern(64, 64)).png.subarray(0, 6000)), { code: 'unsupported', message: /What was inserted is a broken image/ }, 'one that is cut short is read to its end');
    await t.rejects(driver.insert!('B', red), { code: 'device-not-found' });
    t.same(await files(tray), []);
    const bare = await rigOf(t);
    await t.rejects(bare.driver.insert!('A', red), { code: 'unsupported', message: /has no feeder with a tray/ });
  });
  t.test('a full feeder takes no more', async t => {
    const { driver, tray } = await rigOf(t, { tray: 'tray' });
    await Promise.all(Array.from({ length: 200 }, (_, at) => put(tray, `${at}.png`, red)));
    await t.rejects(driver.insert!('A', red), { code: 'busy', message: /feeder of "A" is full: 200 sheets/ });
    t.equal((await files(tray)).length, 200);
    await rm(join(tray, '7.png'));
    await driver.insert!('A', red);
  });
  t.test('puts sheets into the feeder, in the order of their coming', async t => {
    const { driver, session, tray } = await rigOf(t, { tray: 'tray' });
    await driver.insert!('A', red);
    await driver.insert!('A', blue);
    t.match(await files(tray), [/^inserted-.*\.png$/, /^inserted-.*\.png$/]);
    t.match(await session.status({ signal: never() }), { paper: 'loaded' });
    const pages = await pagesOf(session, orderOf());
    t.same(pages.map(page => pixel(page, 9, 9)), [[192, 32, 32], isBlue]);
  });
});

t.test('paper that comes is told', async t => {
  const { session, tray } = await rigOf(t, { tray: 'tray' });
  const told = new Promise<string>(resolve => void session.watch!(resolve));
  await put(tray, 'a.png', red);
  t.equal(await told, 'paper');
});

t.test('a scanner without a tray, or whose tray is missing, can be watched too', async t => {
  for (const options of [{}, { tray: 'missing' }]) {
    const { session } = await rigOf(t, options);
    session.watch!(() => {})();
  }
});
