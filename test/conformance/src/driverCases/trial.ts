/** One case's hold of the body under test: an open session, orders that it takes, and scans that cannot hang. */
import assert from 'node:assert/strict';
import { type Capabilities, codeOf, type Page, type ScanOrder, type Session, type Source } from '@platen/core/plugin';
import type { DriverFeatures, DriverRig } from '../driverRig.js';
import type { ContractCase } from '../contractTest.js';
import { withDeadline, type Within } from './deadline.js';
import { wordsOf } from './expect.js';
import { neverAborted, startScan, type Scan, type ScanSignals } from './scan.js';

export type DriverCase = ContractCase<DriverRig, DriverFeatures>;

/** What an order should differ in; the source is the feeder, where there is one, unless another is named. */
export type Wishes = Partial<ScanOrder>;

export interface Trial {
  readonly rig: DriverRig;
  readonly features: DriverFeatures;
  readonly session: Session;
  readonly capabilities: Capabilities;
  readonly continuous: boolean;
  order(wishes?: Wishes): ScanOrder;
  scan(wishes?: Wishes, signals?: ScanSignals): Scan;
  /** Sheets in the feeder: a case that counts them needs a body that can tell. */
  remaining(): Promise<number>;
  readonly within: Within;
  /** Closes the session and opens another one, which is the trial's from then on. */
  reopen(after: string): Promise<void>;
  /** Fails unless a sheet can be scanned now, or the session says `device-offline` and can be opened again. */
  usable(after: string): Promise<void>;
}

/** What mends a scan that goes on, or hangs, when it should end. */
export const endFromOutside =
  'A generator that waits for a page cannot be ended from outside: let scan() return what `oneScan(…).start(…)` or `endable(…)` gives, both of @platen/core/plugin.';

/** Opens a session for the case's body and closes all of it afterwards. */
export function onSession(body: (trial: Trial) => Promise<void>): DriverCase['run'] {
  return onDriver(async (rig, features, within) => {
    const session = await within(rig.driver.open(rig.deviceId, { signal: neverAborted() }), 'open');
    const capabilities = await within(session.capabilities({ signal: neverAborted() }), 'capabilities');
    const trial = trialOf(rig, features, session, capabilities, within);
    await body(trial);
    await within(trial.session.close(), "the session's close");
  });
}

/** Closes the driver after the case's body, also when that failed. */
export function onDriver(
  body: (rig: DriverRig, features: DriverFeatures, within: Within) => Promise<void>,
): DriverCase['run'] {
  return async (rig, features) => {
    const within: Within = (promise, what) => withDeadline(promise, what, features.patienceMs);
    let failed = true;
    try {
      await body(rig, features, within);
      failed = false;
    } finally {
      const closed = within(rig.driver.close(), "the driver's close");
      // What the case found weighs more than a close that fails after it.
      await (failed ? closed.catch(() => {}) : closed);
    }
  };
}

function trialOf(
  rig: DriverRig,
  features: DriverFeatures,
  first: Session,
  capabilities: Capabilities,
  within: Within,
): Trial {
  let session = first;
  const usual: Source = features.feeder ? 'feeder' : 'flatbed';
  const order = ({ source = usual, ...wishes }: Wishes = {}): ScanOrder => {
    const offered = capabilities[source] ?? Object.values(capabilities)[0];
    assert.ok(offered, 'capabilities name no source');
    return {
      source,
      // Small pages: the suite is to be run on real paper.
      resolution: offered.resolutions.find(dpi => dpi >= 75) ?? offered.resolutions[0] ?? 75,
      colorMode: offered.colorModes.includes('Grayscale') ? 'Grayscale' : (offered.colorModes[0] ?? 'Color'),
      duplexMode: 'Simplex',
      pageSize: offered.pageSizes.includes('A4') ? 'A4' : (offered.pageSizes[0] ?? 'Auto'),
      adjustments: [],
      maxPixels: 200_000_000,
      ...wishes,
    };
  };
  const scan = (wishes?: Wishes, signals?: ScanSignals) => startScan(session, order(wishes), within, signals);
  const reopen = async (after: string) => {
    await within(session.close(), `close ${after}`);
    session = await within(rig.driver.open(rig.deviceId, { signal: neverAborted() }), `open ${after}`);
  };
  return {
    rig,
    features,
    get session() {
      return session;
    },
    capabilities,
    continuous: session.device.feeding === 'continuous',
    order,
    scan,
    within,
    reopen,
    async remaining() {
      assert.ok(rig.remaining, 'the rig has no remaining(): give it one, or name this case as a known gap');
      return rig.remaining();
    },
    async usable(after) {
      await rig.mend?.();
      if (features.feeder) await rig.load(1);
      let pages = await attempt(scan({ sheets: 1 }), after);
      if (pages === 'device-offline') {
        await reopen(`${after} and device-offline`);
        pages = await attempt(scan({ sheets: 1 }), `${after} and reopening`);
      }
      assert.ok(
        Array.isArray(pages) && pages.length > 0,
        `${after} a new scan of a loaded sheet yields ${Array.isArray(pages) ? 'no page' : pages}`,
      );
    },
  };
}

async function attempt(scan: Scan, after: string): Promise<Page[] | 'device-offline'> {
  try {
    return await scan.rest();
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    if (codeOf(error) === 'device-offline') return 'device-offline';
    assert.fail(`${after} a new scan fails: ${wordsOf(error)}`);
  }
}

export const needsFeeder = (features: DriverFeatures) => (features.feeder ? undefined : 'the device has no feeder');
export const needsFlatbed = (features: DriverFeatures) => (features.flatbed ? undefined : 'the device has no flatbed');
export const needsDuplex = (features: DriverFeatures) =>
  needsFeeder(features) ?? (features.duplex ? undefined : 'the device scans one side only');

export function needsFault(fault: DriverFeatures['faults'][number]): NonNullable<DriverCase['skip']> {
  return features =>
    needsFeeder(features) ?? (features.faults.includes(fault) ? undefined : `the body cannot be told to cause ${fault}`);
}

/** Causes a fault that the features name. */
export async function cause(rig: DriverRig, sheet: number, fault: DriverFeatures['faults'][number]): Promise<void> {
  assert.ok(rig.fault, 'features.faults is not empty, so the rig needs fault()');
  await rig.fault(sheet, fault);
}
