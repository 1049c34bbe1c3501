/** Sources whose answers and behaviour differ: a page's facts describe the real page. */
import t from 'tap';
import { PT } from './protocol/constants.js';
import { firstWrongRow } from './picture.test.kit.js';
import { body, never, open, scanned } from './rig.test.kit.js';

type Quirks = Readonly<Record<string, string | number>>;
type Order = Parameters<typeof scanned>[1];

async function scan(quirks: Quirks, order: Order = {}) {
  const it = await body({ sheets: 2, ...quirks });
  try {
    const session = await open(it);
    const capabilities = await session.capabilities({ signal: never() });
    const done = await scanned(session, order);
    await session.close();
    return { ...done, capabilities, device: session.device, page: done.pages[0], left: await it.remaining() };
  } finally {
    await it.dispose();
  }
}

const types = { Color: PT.RGB, Grayscale: PT.GRAY, BlackAndWhite: PT.BW } as const;
const kinds = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' } as const;

t.test('pixels: either polarity and bit order, whole and in strips, equal the picture', async t => {
  const quirks: Readonly<Record<string, Quirks>> = {
    whole: { mechs: 'native' },
    'a zero is white': { mechs: 'native', flavor: 'vanilla' },
    strips: { mechs: 'memory', rows: 7 },
    'strips of vanilla': { mechs: 'memory', flavor: 'vanilla' },
    'strips with the lowest bit first': { mechs: 'memory', lowestfirst: 1 },
  };
  for (const [name, quirk] of Object.entries(quirks)) {
    for (const colorMode of ['Color', 'Grayscale', 'BlackAndWhite'] as const) {
      const { pages, code } = await scan(quirk, { colorMode, duplexMode: 'DuplexLongEdge' });
      t.equal(code, undefined, name);
      t.match(
        pages.map(({ sheet, side, dpi, pixels }) => ({ sheet, side, dpi, pixels })),
        [1, 2].flatMap(sheet => ['front', 'back'].map(side => ({ sheet, side, dpi: 100, pixels: kinds[colorMode] }))),
        name,
      );
      for (const page of pages)
        t.equal(
          firstWrongRow(page, { sheet: page.sheet, side: page.side === 'front' ? 0 : 1 }, types[colorMode]),
          -1,
          `${name}: ${colorMode}, sheet ${page.sheet} ${page.side}`,
        );
    }
  }
});

t.test(
  'ICAP_BITORDER: the source treats it as the order of colours, red is red in every scan of a session',
  async t => {
    const it = await body({ swaps: 1 });
    t.teardown(it.dispose);
    const session = await open(it);
    for (const [transferMode, colorMode] of [
      ['Buffered', 'Color'],
      ['Native', 'Color'],
      ['Buffered', 'BlackAndWhite'],
      ['Native', 'Color'],
      ['Buffered', 'Color'],
    ] as const) {
      it.set({ sheets: 1, fed: 0 });
      const {
        pages: [page],
      } = await scanned(session, { transferMode, colorMode });
      t.equal(
        page && firstWrongRow(page, { sheet: 1, side: 0 }, types[colorMode]),
        -1,
        `${transferMode}, ${colorMode}`,
      );
    }
  },
);

t.test('palette: not offered as a colour mode, but read if the source uses it', async t => {
  const { pages, capabilities } = await scan({ pixeltypes: '3,1' }, { colorMode: 'Grayscale' });
  t.strictSame(capabilities.feeder?.colorModes, ['Grayscale'], 'not offered');
  t.match(pages, [{ pixels: 'gray8' }, { pixels: 'gray8' }]);
  const kept = await scan({ pixeltypes: '3,1', keeps: 'PIXELTYPE' });
  t.match(kept.page, { pixels: 'rgb24' }, 'the page has what the source really did');
  t.equal(firstWrongRow(kept.page!, { sheet: 1, side: 0 }, PT.PALETTE), -1);
});

t.test('settings: the source ignores all, the page has the real facts', async t => {
  const { page, code } = await scan(
    { lies: 1, hasflatbed: 0 },
    { resolution: 300, colorMode: 'BlackAndWhite', duplexMode: 'DuplexLongEdge' },
  );
  t.equal(code, undefined);
  t.match(page, { pixels: 'rgb24', dpi: 200, side: 'front' });
});

t.test('CAP_SUPPORTEDCAPS and MSG_QUERYSUPPORT: missing, settings still work', async t => {
  for (const quirk of [{ unlisted: 1 }, { unasked: 1 }, { unlisted: 1, unasked: 1 }]) {
    t.match(
      await scan(quirk, { resolution: 300, duplexMode: 'DuplexLongEdge' }),
      { code: undefined, pages: { length: 4 }, page: { dpi: 300 } },
      JSON.stringify(quirk),
    );
  }
});

t.test('optional capabilities: missing, the scan works with fewer choices', async t => {
  const without =
    'INDICATORS,AUTOFEED,DUPLEX,SUPPORTEDSIZES,PIXELFLAVOR,BITDEPTH,UICONTROLLABLE,DEVICEONLINE,PAPERDETECTABLE,PHYSICALWIDTH,UNITS,COMPRESSION';
  const { capabilities, code, pages } = await scan({ without });
  t.equal(code, undefined);
  t.equal(pages.length, 2);
  t.strictSame(capabilities.feeder?.pageSizes, ['Auto'], 'a source that does not report its size');
  t.equal(capabilities.feeder?.duplex, true);
});

t.test('resolutions: a range or centimetres, listed in dpi', async t => {
  const ranges = await scan({ ranges: 1 }, { resolution: 240 });
  t.strictSame(ranges.capabilities.feeder?.resolutions, [75, 100, 150, 200, 240, 300, 400, 600]);
  t.match(ranges.page, { dpi: 240 });
  const metric = await scan({ units: 1, resolutions: '78.7402,39.3701' });
  t.strictSame(metric.capabilities.feeder?.resolutions, [100, 200]);
  t.ok(
    metric.capabilities.feeder?.pageSizes.includes('Legal') && !metric.capabilities.feeder.pageSizes.includes('A3'),
    'its area is in centimetres',
  );
  t.match(metric.page, { dpi: 100 });
});

t.test('resolution: differs by direction, unsupported and no sheet is fed', async t => {
  t.match(await scan({ resolutions: '100,200', yresolutions: '50,300' }, { resolution: 100 }), {
    code: 'unsupported',
    message: /100 dpi in one direction and 50 dpi in the other/,
    left: 2,
  });
});

t.test(
  'CAP_AUTOMATICSENSEMEDIUM: the source would choose the flatbed for an empty feeder, the scan ends instead',
  async t => {
    t.match(await scan({ senses: 1, paperdetectable: 0 }, { source: 'feeder', sheets: 4 }), {
      pages: { length: 2 },
      code: undefined,
    });
  },
);

t.test('page size: lost although the source reports it, set again', async t => {
  const it = await body({ sheets: 2 });
  t.teardown(it.dispose);
  const session = await open(it);
  const [first, second] = [await scanned(session, { sheets: 1 }), await scanned(session, { sheets: 1 })].map(
    ({ pages }) => pages[0]?.height,
  );
  t.equal(second, first);
});

t.test('CAP_XFERCOUNT: ignored, every sheet is delivered', async t => {
  t.match(await scan({ uncounted: 1 }), { pages: { length: 2 }, code: undefined });
  const it = await body({ sheets: 3, uncounted: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session, { source: 'flatbed' }), { pages: { length: 1 } });
});

t.test('window: shown or needed by the source, unsupported', async t => {
  t.match(await scan({ window: 1 }), { pages: [], code: 'unsupported', message: /window/ });
  const it = await body({ uicontrollable: 0 });
  t.teardown(it.dispose);
  await t.rejects(open(it), { code: 'unsupported', message: /window of its own driver/ });
});

t.test('adjustments: done by the scanner, reported for each side', async t => {
  const wishes = ['rotate', 'deskew', 'crop', 'turn'] as const;
  const { capabilities, pages } = await scan({ adjusts: 1 }, { duplexMode: 'DuplexShortEdge', adjustments: wishes });
  t.strictSame(capabilities.feeder?.adjustments, ['deskew', 'crop', 'rotate', 'turn']);
  t.strictSame(
    pages.slice(0, 2).map(page => page.adjusted),
    [
      ['deskew', 'crop', 'rotate'],
      ['deskew', 'crop', 'rotate', 'turn'],
    ],
  );
  t.strictSame(
    (await scan({ adjusts: 1 })).pages.map(page => page.adjusted),
    [undefined, undefined],
    'nothing is done without a request',
  );
  t.strictSame(
    (await scan({ adjusts: 1 }, { pageSize: 'Auto' })).pages[0]?.adjusted,
    ['crop'],
    'a sheet of detected size',
  );
  t.strictSame(
    (await scan({ adjusts: 1, refuses: 'AUTOMATICDESKEW' }, { adjustments: ['deskew'] })).pages[0]?.adjusted,
    undefined,
  );
});

t.test('transferMode: chooses the mechanism if the source has both', async t => {
  const asked = async (quirks: Quirks, transferMode?: 'Auto' | 'Native' | 'Buffered') =>
    (await scan({ ...quirks, compression: 6 }, transferMode ? { transferMode } : {})).code;
  // Strips are compressed here, so that they are recognised.
  t.equal(await asked({}), undefined, 'whole by default');
  t.equal(await asked({}, 'Buffered'), 'unsupported');
  t.equal(await asked({}, 'Auto'), undefined, 'the source’s default');
  const it = await body({ sheets: 2, compression: 6 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.match(await scanned(session, { transferMode: 'Buffered' }), { code: 'unsupported' });
  t.match(
    await scanned(session, { transferMode: 'Auto' }),
    { code: undefined },
    'not the mechanism of the previous scan',
  );
  t.equal(await asked({ mechs: 'memory' }, 'Auto'), 'unsupported');
  t.equal(await asked({ mechs: 'memory' }, 'Native'), 'unsupported', 'the source has no other');
  t.equal(await asked({ mechs: 'native' }, 'Buffered'), undefined);
});

t.test('DAT_IMAGEINFO: missing, a whole page is read and strips fail', async t => {
  t.match(await scan({ uninformed: 1 }), { code: undefined, page: { dpi: 100 } });
  t.match(await scan({ uninformed: 1, mechs: 'memory' }), { code: 'driver-failed', pages: [] });
});

t.test('scanning ahead: the feeder does not stop, every sheet fed is delivered', async t => {
  const it = await body({ sheets: 5, autoscan: 1, unstopped: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  t.equal(session.device.feeding, 'continuous');
  t.match(await scanned(session), { pages: { length: 5 }, code: undefined });
  it.set({ sheets: 2 });
  t.match(await scanned(session, { sheets: 1 }), { pages: { length: 1 } });
  t.equal(await it.remaining(), 1, 'a limited number of sheets is fed one by one');
});
