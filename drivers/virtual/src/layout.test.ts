/** Where sheets come to lie. */
import t from 'tap';
import { areas, layOut } from './layout.js';

const a4 = { resolution: 200, pageSize: 'A4' } as const;
const page = { width: 1654, height: 2339 };
const auto = { resolution: 100, pageSize: 'Auto' } as const;

t.test('layOut: page size and same density, unscaled', async t => {
  t.same(layOut({ ...page, density: 200 }, a4, 'feeder'), { page, sheet: page, left: 0, top: 0 });
});

t.test('layOut: rounding difference at another density, snapped to the page', async t => {
  const at300 = { width: 2480, height: 3508 };
  t.same(layOut({ ...page, density: 200 }, { ...a4, resolution: 300 }, 'feeder'), {
    page: at300,
    sheet: at300,
    left: 0,
    top: 0,
  });
});

t.test('layOut: smaller sheet, centred in the feeder, in the corner of the flatbed', async t => {
  const card = { width: 337, height: 212, density: 100 };
  t.same(layOut(card, a4, 'feeder'), { page, sheet: { width: 674, height: 424 }, left: 490, top: 0 });
  t.same(layOut(card, a4, 'flatbed'), { page, sheet: { width: 674, height: 424 }, left: 0, top: 0 });
});

t.test('layOut: larger sheet in the feeder, begins left of the page', async t => {
  const letter = { width: 1700, height: 2200, density: 200 };
  t.same(layOut(letter, a4, 'feeder'), { page, sheet: { width: 1700, height: 2200 }, left: -23, top: 0 });
  t.same(layOut(letter, a4, 'flatbed').left, 0);
});

t.test('layOut: no density', async t => {
  t.test('shape within 25 % of the page: stretched', async t => {
    t.same(layOut({ width: 850, height: 1100 }, a4, 'feeder'), { page, sheet: page, left: 0, top: 0 });
  });
  t.test('other shapes: kept and centred', async t => {
    const { sheet, left, top } = layOut({ width: 400, height: 300 }, a4, 'flatbed');
    t.same({ sheet, left, top }, { sheet: { width: 1654, height: 1241 }, left: 0, top: 549 });
    t.same(layOut({ width: 100, height: 400 }, a4, 'feeder').sheet, { width: 585, height: 2339 });
  });
});

t.test('layOut: implausible density, ignored', async t => {
  for (const [width, height, density] of [
    [1700, 2200, 50], // 34 x 44 in
    [1275, 1650, 72], // what programs write that know none: 17.7 x 22.9 in
    [816, 1400, 96], // taller than Legal by a little, at a screen's density
    [1700, 2200, 0],
    [1700, 2200, 10_000],
  ] as const) {
    t.same(
      layOut({ width, height, density }, a4, 'feeder').sheet,
      layOut({ width, height }, a4, 'feeder').sheet,
      `${width} x ${height} at ${density}`,
    );
  }
  t.same(
    layOut({ width: 612, height: 792, density: 72 }, a4, 'feeder').sheet,
    { width: 1700, height: 2200 },
    'Letter at 72 dpi is believed',
  );
});

t.test('layOut: page size Auto', async t => {
  t.test('the page has the size of the sheet', async t => {
    const { page, sheet, left, top } = layOut({ width: 674, height: 424, density: 200 }, auto, 'feeder');
    t.same(
      { page, sheet, left, top },
      { page: { width: 337, height: 212 }, sheet: { width: 337, height: 212 }, left: 0, top: 0 },
    );
  });
  t.test('at most the scan area', async t => {
    const { page, sheet, left } = layOut({ width: 1000, height: 1600, density: 100 }, auto, 'feeder');
    t.same(
      { page, sheet, left },
      { page: { width: 850, height: 1400 }, sheet: { width: 1000, height: 1600 }, left: -75 },
    );
  });
  t.test('no density: the scan area in the shape of the image', async t => {
    t.same(layOut({ width: 800, height: 600 }, auto, 'feeder').page, { width: 850, height: 638 });
    t.same(layOut({ width: 100, height: 400 }, auto, 'feeder').page, { width: 350, height: 1400 });
  });
  t.test('at least one pixel', async t => {
    t.same(layOut({ width: 20_000, height: 1 }, auto, 'feeder').page, { width: 850, height: 1 });
  });
});

t.test('layOut: an A3 sheet, whole on a scanner for A3, cut on another', async t => {
  const sheet = { width: 1169, height: 1654 };
  t.same(layOut({ ...sheet, density: 100 }, auto, 'feeder', areas.A3).page, sheet);
  t.same(layOut({ ...sheet, density: 100 }, auto, 'feeder').page, { width: 850, height: 1400 });
});

t.test('layOut: area, a part of the page that Auto gives, and what lies beside it', async t => {
  const card = { width: 337, height: 212, density: 100 };
  const at = { resolution: 200, pageSize: 'A4', area: { x: 25.4, y: 12.7, width: 101.6, height: 50.8 } } as const;
  for (const source of ['feeder', 'flatbed'] as const)
    t.same(layOut(card, at, source), {
      page: { width: 800, height: 400 },
      sheet: { width: 674, height: 424 },
      left: -200,
      top: -100,
    });
  const wide = { width: 2700, height: 2200, density: 200 };
  t.equal(layOut(wide, at, 'feeder').left, -500 - 200, 'of a sheet wider than the scanner, the middle is scanned');
});
