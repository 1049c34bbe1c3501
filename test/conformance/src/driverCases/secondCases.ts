/** Two devices of one driver that scan at the same time. */
import assert from 'node:assert/strict';
import type { Page, Session } from '@platen/core/plugin';
import { expectSame, orFail } from './expect.js';
import { assertFacts } from './facts.js';
import { neverAborted, startScan, type Scan } from './scan.js';
import { onSession, type DriverCase, type Trial } from './trial.js';

const skip: DriverCase['skip'] = ({ devices }) => (devices === 1 ? 'the driver never has a second device' : undefined);
const untried: DriverCase['untried'] = ({ devices }) =>
  devices === undefined ? 'the rig has no second device' : undefined;

/** A device with the sheets that are loaded for one scan of it. */
interface Loaded {
  readonly sheets: number;
  load(): Promise<void>;
  scan(): Scan;
}

interface Pair {
  readonly first: Loaded;
  readonly second: Loaded & { readonly session: Session };
}

/** Stacks and resolutions differ, where the device can do it, so that the pages of the one are not those of the other. */
async function pairOf(trial: Trial): Promise<Pair> {
  const { rig, within, order, features } = trial;
  const { second } = rig;
  assert.ok(second, 'features.devices is more than 1, so the rig needs a second device');
  const opened = rig.driver.open(second.deviceId, { signal: neverAborted() });
  const session = await within(opened, 'open of the second device, while the first one is open');
  expectSame(session.device.id, second.deviceId, 'device of the session of the second device');
  const { source, resolution } = order();
  const other = trial.capabilities[source]?.resolutions.find(each => each > resolution) ?? resolution;
  const stack = (sheets: number) => (features.feeder ? sheets : 0);
  return {
    first: { sheets: features.feeder ? 3 : 1, load: () => rig.load(stack(3)), scan: () => trial.scan() },
    second: {
      session,
      sheets: features.feeder ? 4 : 1,
      load: () => second.load(stack(4)),
      scan: () => startScan(session, order({ resolution: other }), within),
    },
  };
}

/** `sheet 1 front at 75 dpi`. */
const factsOf = (pages: readonly Page[]) =>
  pages.map(({ sheet, side, dpi }) => `sheet ${sheet} ${side} at ${dpi} dpi`).join(', ');

function expectWhole(pages: readonly Page[], { sheets }: Loaded, dpi: number, what: string): void {
  const wanted = Array.from({ length: sheets }, (_, i) => ({ sheet: i + 1, side: 'front', dpi }) as Page);
  expectSame(factsOf(pages), factsOf(wanted), what);
}

export const secondCases: readonly DriverCase[] = [
  {
    id: 'devices-scan-at-once',
    title: 'two devices scan at the same time, and each session gets the pages of its own',
    skip,
    untried,
    run: onSession(async trial => {
      const { first, second } = await pairOf(trial);
      const dpi: number[] = [];
      // A device may have another resolution than it was asked for: alone, it says which.
      for (const each of [first, second]) {
        await each.load();
        const pages = await each.scan().rest();
        dpi.push(pages[0]?.dpi ?? 0);
        expectWhole(pages, each, dpi.at(-1)!, 'pages of a device, while the other one is open');
      }
      await Promise.all([first.load(), second.load()]);
      const [own, its] = await Promise.all([first.scan().rest(), second.scan().rest()]);
      expectWhole(own, first, dpi[0]!, 'pages of the first device, while the other one scans');
      expectWhole(its, second, dpi[1]!, 'pages of the second device, while the other one scans');
      for (const page of [...own, ...its]) await assertFacts(page);
      await trial.within(second.session.close(), 'close of the second session');
    }),
  },
  {
    id: 'devices-end-apart',
    title: 'a scan that is abandoned, and a session that is closed, leave the scan of the other device as it is',
    skip,
    untried,
    run: onSession(async trial => {
      const { first, second } = await pairOf(trial);
      await Promise.all([first.load(), second.load()]);
      const abandoned = first.scan();
      const scan = second.scan();
      const [, page] = await Promise.all([abandoned.pull(), scan.pull()]);
      assert.ok(page, 'a sheet was loaded into the second device, but no page came');
      const next = scan.pull();
      abandoned.abandon();
      await abandoned.pull().catch(() => {});
      await trial.within(trial.session.close(), 'close of the first session');
      const ended = orFail('the scan of the second device should go on when the first one is ended, but failed');
      const rest = [await next.catch(ended), ...(await scan.rest().catch(ended))].filter(each => each !== undefined);
      expectWhole([page, ...rest], second, page.dpi, 'pages of the second device, after the first one was ended');
      await trial.within(second.session.close(), 'close of the second session');
    }),
  },
];
