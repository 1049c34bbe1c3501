/** What a case works with: an open session of the rig, orders that it accepts, and scans that cannot hang. */
import assert from 'node:assert/strict';
import type { HardwareControl } from '@platen/core/driver';
import { type Capabilities, codeOf, type Page, type ScanOrder, type Session, type Source } from '@platen/core/plugin';
import type { DriverFeatures, DriverRig } from '../driverRig.js';
import type { ContractCase, Figures } from '../contractTest.js';
import { withDeadline, type Within } from './deadline.js';
import { wordsOf } from './expect.js';
import { neverAborted, startScan, type Scan, type ScanSignals } from './scan.js';

export type DriverCase = ContractCase<DriverRig, DriverFeatures>;

/** Overrides of the default order. The default source is the feeder, where there is one. */
export type Wishes = Partial<ScanOrder>;

export interface Trial {
  readonly rig: DriverRig;
  readonly features: DriverFeatures;
  readonly session: Session;
  readonly capabilities: Capabilities;
  readonly continuous: boolean;
  order(wishes?: Wishes): ScanOrder;
  scan(wishes?: Wishes, signals?: ScanSignals): Scan;
  /** Sheets in the feeder. @throws where the rig cannot count them */
  remaining(): Promise<number>;
  readonly within: Within;
  /** Closes the session and opens another one in its place. */
  reopen(after: string): Promise<void>;
  /** Fails unless a sheet can be scanned now, or the session says `device-offline` and can be opened again. */
  usable(after: string, source?: Source): Promise<void>;
}

/** How to fix a scan that continues, or hangs, when it should end. */
export const endFromOutside =
  'Fix: return from scan() the result of `oneScan(…).start(…)` or `endable(…)`, both of @platen/core/driver (`deviceSession` ' +
  'does): a generator that waits for a page cannot be ended from outside. Give the signal that they hand over, `ended`, ' +
  'and a time limit to each call that waits for the device: one call without them holds up the end of the scan.';

/** Opens a session for the case and closes it and the driver afterwards. */
export function onSession(body: (trial: Trial) => Promise<Figures | void>): DriverCase['run'] {
  return onDriver(async (rig, features, within) => {
    const session = await within(rig.driver.open(rig.deviceId, { signal: neverAborted() }), 'open');
    const capabilities = await within(session.capabilities({ signal: neverAborted() }), 'capabilities');
    const trial = trialOf(rig, features, session, capabilities, within);
    const figures = await body(trial);
    await within(trial.session.close(), "the session's close");
    return figures;
  });
}

/** Closes the driver after the case, even if it failed. */
export function onDriver(
  body: (rig: DriverRig, features: DriverFeatures, within: Within) => Promise<Figures | void>,
): DriverCase['run'] {
  return async (rig, features) => {
    const within: Within = (promise, what) => withDeadline(promise, what, features.timeoutMs);
    let failed = true;
    try {
      const figures = await body(rig, features, within);
      failed = false;
      return figures;
    } finally {
      const closed = within(rig.driver.close(), "the driver's close");
      // The case's failure takes precedence over that of the close.
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
    assert.ok(offered, 'capabilities should have a source, but have none');
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
      assert.ok(rig.remaining, 'the rig has no remaining(): add it, or list this case as a known gap');
      return rig.remaining();
    },
    async usable(after, source = usual) {
      await rig.clearFaults?.();
      if (source === 'feeder') await rig.load(1);
      let pages = await attempt(scan({ source, sheets: 1 }), after);
      if (pages === 'device-offline') {
        await reopen(`${after} and device-offline`);
        pages = await attempt(scan({ source, sheets: 1 }), `${after} and reopening`);
      }
      assert.ok(
        Array.isArray(pages) && pages.length > 0,
        `${after} a new scan of a loaded sheet should yield a page, but ${Array.isArray(pages) ? 'ended without one' : `failed with ${pages}`}`,
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
    assert.fail(`${after} a new scan should succeed, but failed: ${wordsOf(error)}`);
  }
}

export const needsFeeder = (features: DriverFeatures) => (features.feeder ? undefined : 'the device has no feeder');
export const needsFlatbed = (features: DriverFeatures) => (features.flatbed ? undefined : 'the device has no flatbed');
export const needsDuplex = (features: DriverFeatures) =>
  needsFeeder(features) ?? (features.duplex ? undefined : 'the device scans one side only');

export function needsControl(control: HardwareControl): NonNullable<DriverCase['skip']> {
  return features => (features.controls?.includes(control) ? undefined : `the device does not do ${control}`);
}

/** For `untried`. */
export function causes(fault: DriverFeatures['faults'][number]): NonNullable<DriverCase['untried']> {
  return features => (features.faults.includes(fault) ? undefined : `the rig cannot cause ${fault}`);
}

const faultsOfPaper: DriverFeatures['faults'] = ['no-paper', 'paper-jam', 'double-feed'];

/** What the rig can cause on the flatbed. */
export function flatbedFaults({ faults, flatbedFaults: own }: DriverFeatures): DriverFeatures['faults'] {
  return own ?? faults.filter(each => !faultsOfPaper.includes(each));
}

/** Causes a fault that the features name. */
export async function cause(rig: DriverRig, sheet: number, fault: DriverFeatures['faults'][number]): Promise<void> {
  assert.ok(rig.fault, 'the rig should have fault(), because features.faults is not empty');
  await rig.fault(sheet, fault);
}
