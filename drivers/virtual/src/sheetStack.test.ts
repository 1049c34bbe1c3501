/** Where the paper comes from: sides, built-in documents, feeder and flatbed. */
import { join } from 'node:path';
import t from 'tap';
import type { ScannerOptions } from './options.js';
import {
  failureOf,
  files,
  never,
  orderOf,
  pagesOf,
  pattern,
  pixel,
  plain,
  put,
  rigOf,
  type raw,
} from './rig.test.kit.js';

const red = await plain(40, 56, '#c02020');
const blue = await plain(40, 56, '#2020c0');
const duplex = orderOf({ duplexMode: 'DuplexLongEdge' });

t.test('sides: files to sheets', async t => {
  const sheet = async (options: Partial<ScannerOptions> = {}) => {
    const rig = await rigOf(t, { tray: 'tray', duplex: true, ...options });
    await put(rig.tray, 'a.front.png', red);
    await put(rig.tray, 'a.back.png', blue);
    return rig;
  };
  const facts = (pages: readonly ReturnType<typeof raw>[]) =>
    pages.map(page => [page.sheet, page.side, page.adjusted, pixel(page, 9, 9)]);
  t.test('front and back: one sheet', async t => {
    const { session, tray } = await sheet();
    t.same(facts(await pagesOf(session, duplex)), [
      [1, 'front', undefined, [192, 32, 32]],
      [1, 'back', undefined, [32, 32, 192]],
    ]);
    t.same(await files(join(tray, 'scanned')), ['a.back.png', 'a.front.png']);
  });
  t.test('Simplex: the front only, both files are moved', async t => {
    const { session, tray } = await sheet();
    t.same(facts(await pagesOf(session, orderOf())), [[1, 'front', undefined, [192, 32, 32]]]);
    t.same([await files(tray), (await files(join(tray, 'scanned'))).length], [[], 2]);
  });
  t.test('missing side: blank and white', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true, backing: 'black' });
    await put(tray, 'a.png', red);
    await put(tray, 'b.back.png', blue);
    const pages = await pagesOf(session, duplex);
    const white = [255, 255, 255];
    t.same(
      pages.map(page => pixel(page, 9, 9)),
      [[192, 32, 32], white, white, [32, 32, 192]],
    );
    await put(tray, 'c.back.png', blue);
    t.same(
      (await pagesOf(session, orderOf())).map(page => pixel(page, 9, 9)),
      [white],
    );
  });
  t.test('DuplexShortEdge: the back is turned and marked as such', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', duplex: true });
    const { png, pixels } = await pattern(310, 437, 75);
    await put(tray, 'a.front.png', png);
    await put(tray, 'a.back.png', png);
    const [front, back] = await pagesOf(session, orderOf({ duplexMode: 'DuplexShortEdge' }));
    t.same([front?.adjusted, back?.adjusted], [undefined, ['turn']]);
    t.same([pixel(front!, 0, 0), pixel(back!, 309, 436)], [[...pixels.subarray(0, 3)], [...pixels.subarray(0, 3)]]);
  });
});

t.test('samples: for scans of all there is', async t => {
  const lengthOf = async (options: Partial<ScannerOptions>, order: object = {}) => {
    const { session } = await rigOf(t, options);
    const { pages, code } = await failureOf(session, orderOf(order));
    return [pages.length, code];
  };
  t.same(await lengthOf({}), [3, 'no failure'], 'three without a tray');
  t.same(await lengthOf({ tray: 'tray' }), [0, 'no-paper'], 'none with one');
  t.same(await lengthOf({ tray: 'tray', samples: 5 }), [5, 'no failure'], 'as many as are asked for');
  t.same(await lengthOf({ duplex: true }, { duplexMode: 'DuplexLongEdge' }), [6, 'no failure'], 'with blank backs');
  t.same(await lengthOf({ samples: 0 }), [0, 'no-paper']);
  t.same(await lengthOf({}, { sheets: 1 }), [1, 'no failure'], 'the rest is for the next scan');
  const { session, tray } = await rigOf(t, { tray: 'tray', samples: 2 });
  t.match(await session.status({ signal: never() }), { paper: 'empty' }, 'the sensor does not see them');
  await put(tray, 'a.png', red);
  t.equal((await pagesOf(session, orderOf())).length, 1, 'nor are they put on top of paper');
});

t.test('sources: feeder and flatbed', async t => {
  const both = { tray: 'tray', flatbed: true, samples: 3 };
  t.test('the order names the source, whatever is in the feeder', async t => {
    const { session, tray } = await rigOf(t, both);
    t.equal((await pagesOf(session, orderOf({ source: 'flatbed' }))).length, 1);
    for (const name of ['a.png', 'b.png']) await put(tray, name, red);
    t.equal((await pagesOf(session, orderOf({ source: 'flatbed' }))).length, 1);
    t.equal((await files(tray)).length, 2, 'the flatbed does not take them');
    t.equal((await pagesOf(session, orderOf())).length, 2);
  });
  t.test('feeder without a sensor: scanned, paper unknown', async t => {
    const { session } = await rigOf(t, { ...both, paperSensor: false });
    t.match(await session.status({ signal: never() }), { paper: 'unknown' });
    t.equal((await pagesOf(session, orderOf())).length, 3);
  });
  t.test('flatbed only: the first file of the tray, each time', async t => {
    const { session, tray } = await rigOf(t, { tray: 'tray', feeder: false, flatbed: true });
    const order = orderOf({ source: 'flatbed' });
    t.equal((await pagesOf(session, order)).length, 1, 'a sample where there is no file');
    await put(tray, '2.png', red);
    await put(tray, '1.png', blue);
    for (let i = 0; i < 2; i++)
      t.same(
        (await pagesOf(session, order)).map(page => pixel(page, 9, 9)),
        [[32, 32, 192]],
      );
    t.same(await files(tray), ['1.png', '2.png']);
  });
});

t.test('capabilities', async t => {
  const { session } = await rigOf(t, { duplex: true, flatbed: true });
  const { feeder, flatbed } = await session.capabilities({ signal: never() });
  t.match(feeder, { duplex: true, adjustments: ['turn'], resolutions: [75, 100, 150, 200, 300, 600] });
  t.match(flatbed, { duplex: false, adjustments: [] });
  const simplex = await (await rigOf(t)).session.capabilities({ signal: never() });
  t.match(simplex, { feeder: { duplex: false, adjustments: [] }, flatbed: undefined });
});
