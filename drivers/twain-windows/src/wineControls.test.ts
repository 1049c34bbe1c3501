/** Options and areas with the real helpers and the simulated data source of each bitness. */
import t from 'tap';
import { PT } from './protocol/constants.js';
import { firstWrongRow } from './picture.test.kit.js';
import { body, never, open, scanned } from './rig.test.kit.js';
import { needsWine, sourceName, startWine } from './wine.test.kit.js';

if (needsWine(t)) {
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  for (const bits of [64, 32] as const)
    await t.test(`${bits} bits: options with labels, in effect for one scan; an area in its place`, async t => {
      const quirks = { extras: 1, sheets: 4, coarse: 5, mechs: bits === 64 ? 'native' : 'memory' };
      const parts = {
        helpers: wine.helpers,
        deviceId: sourceName(bits),
        options: { bits: [bits], ask: 'opening' },
      } as const;
      const it = await body(quirks, parts);
      t.teardown(it.dispose);
      const session = await open(it);
      const { feeder } = await session.capabilities({ signal: never() });
      t.strictSame(
        feeder?.driverOptions?.map(({ name, title }) => [name, title]),
        [
          ['ICAP_AUTOBRIGHT', undefined],
          ['ICAP_GAMMA', undefined],
          ['ICAP_BITDEPTHREDUCTION', undefined],
          ['ICAP_NOISEFILTER', undefined],
          ['0x8001', 'Ink'],
          ['0x8002', 'Paper saver'],
        ],
      );
      const order = { source: 'feeder', colorMode: 'Grayscale', resolution: 100, sheets: 1 } as const;
      const area = { x: 25.4, y: 50.8, width: 38.1, height: 25.4 };
      const { pages, message } = await scanned(session, { ...order, area, driverOptions: { '0x8001': 40 } });
      t.equal(message, '');
      t.match(pages[0], { width: 150, height: 100, adjusted: ['area'] });
      const picture = { sheet: 1, side: 0, left: 100, top: 200, tone: { ink: 40 } } as const;
      t.equal(firstWrongRow(pages[0]!, picture, PT.GRAY), -1);
      const next = await scanned(session, order);
      t.equal(firstWrongRow(next.pages[0]!, { sheet: 2, side: 0 }, PT.GRAY), -1, 'the next scan has the defaults');
    });
}
