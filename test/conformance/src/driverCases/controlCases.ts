/** Promise 10: the source, the sheets and the levels of an order. */
import assert from 'node:assert/strict';
import type { PageControl } from '@platen/core/driver';
import type { ScanOrder, Source } from '@platen/core/plugin';
import { lightness } from '../pixelValues.js';
import { expectEqual, expectSame } from './expect.js';
import { listOf } from './facts.js';
import { decoded, onePage } from './onePage.js';
import { needsControl, needsFeeder, needsFlatbed, onSession, type DriverCase, type Trial } from './trial.js';

export const controlCases: readonly DriverCase[] = [
  {
    id: '10-controls-are-those-of-the-features',
    title: 'the capabilities name the controls and options that the suite is told of, so that their cases run',
    run: onSession(async ({ capabilities, features }) => {
      const sources = Object.values(capabilities);
      const named = new Set(sources.flatMap(each => each.controls ?? []));
      expectEqual([...named].sort(), [...(features.controls ?? [])].sort(), 'controls of the capabilities');
      const lists = sources.some(each => (each.driverOptions ?? []).length > 0);
      expectSame(lists, features.driverOptions ?? false, 'whether the capabilities list options of the driver');
    }),
  },
  {
    id: '1-source-is-followed',
    title: 'a scan of the flatbed feeds nothing, a scan of the feeder then feeds all',
    skip: features => needsFeeder(features) ?? needsFlatbed(features),
    run: onSession(async trial => {
      await trial.rig.load(2);
      expectSame(listOf(await trial.scan({ source: 'flatbed' }).rest()), 'sheet 1 front', 'pages of a flatbed scan');
      expectSame(await trial.remaining(), 2, 'sheets in the feeder after a scan of the flatbed');
      const fed = await trial.scan({ source: 'feeder' }).rest();
      expectSame(listOf(fed), 'sheet 1 front, sheet 2 front', 'pages of a scan of the feeder');
    }),
  },
  {
    id: '10-sheets-is-exact',
    title: 'a device that counts sheets itself feeds as many as were asked for, the rest stays',
    skip: features => needsFeeder(features) ?? needsControl('sheets')(features),
    run: onSession(async trial => {
      await trial.rig.load(5);
      const pages = await trial.scan({ sheets: 2 }).rest();
      expectSame(listOf(pages), 'sheet 1 front, sheet 2 front', 'pages of an order of two sheets');
      expectSame(await trial.remaining(), 3, 'sheets that are left of five after an order of two');
    }),
  },
  {
    id: '10-brightness-is-followed',
    title: 'a page says that its brightness was set, and more is not darker',
    skip: needsControl('brightness'),
    run: onSession(trial =>
      levels(trial, 'brightness', async (source, more, less) => {
        const [light, dark] = [await meanOf(trial, more), await meanOf(trial, less)];
        assert.ok(light >= dark, `${source}: with brightness 60 the page is darker (${light}) than with -60 (${dark})`);
      }),
    ),
  },
  {
    id: '10-contrast-is-followed',
    title: 'a page says that its contrast was set',
    skip: needsControl('contrast'),
    run: onSession(trial => levels(trial, 'contrast', async () => {})),
  },
  {
    id: '10-threshold-is-followed',
    title: 'a BlackAndWhite page says that its threshold was set, and a lower one is not darker',
    skip: needsControl('threshold'),
    run: onSession(trial =>
      levels(trial, 'threshold', async (source, high, low) => {
        const [dark, light] = [await meanOf(trial, high), await meanOf(trial, low)];
        assert.ok(light >= dark, `${source}: with threshold 60 the page is darker (${light}) than with 200 (${dark})`);
      }),
    ),
  },
];

type Level = Exclude<PageControl, 'area'>;
const high: Readonly<Record<Level, number>> = { brightness: 60, contrast: 60, threshold: 200 };
const low: Readonly<Record<Level, number>> = { brightness: -60, contrast: -60, threshold: 60 };

type OnePage = Awaited<ReturnType<typeof onePage>>;

/** Scans each source that has the control, with more and with less of it. */
async function levels(
  trial: Trial,
  control: Level,
  compare: (source: Source, more: OnePage, less: OnePage) => Promise<void>,
): Promise<void> {
  for (const [source, its] of Object.entries(trial.capabilities) as [Source, (typeof trial.capabilities)['feeder']][]) {
    const colorModes = its?.colorModes ?? [];
    const asBlackAndWhite = control === 'threshold';
    if (!its?.controls?.includes(control) || (asBlackAndWhite && !colorModes.includes('BlackAndWhite'))) continue;
    const scan = async (value: number): Promise<OnePage> => {
      const wish: Partial<ScanOrder> = { [control]: value, ...(asBlackAndWhite && { colorMode: 'BlackAndWhite' }) };
      const page = await onePage(trial, source, wish);
      const says = `adjusted of a page from the ${source} with ${control} ${value} names ${control}`;
      expectSame(page.adjusted?.includes(control) ?? false, true, says);
      return page;
    };
    await compare(source, await scan(high[control]), await scan(low[control]));
  }
}

/** 0 where the picture cannot be looked at: then nothing can be compared. */
async function meanOf({ rig }: Trial, page: OnePage): Promise<number> {
  const image = await decoded(rig, page);
  return image ? lightness(image, { left: 0, top: 0, right: image.width, bottom: image.height }) : 0;
}
