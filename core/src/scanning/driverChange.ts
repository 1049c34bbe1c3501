/** Drivers that are loaded, changed or removed while the service runs: between the scans of their scanners. */
import type { Driver } from '../contract/driver.js';
import type { Devices, KnownDevice } from '../devices/devices.js';
import type { Registry } from '../registry/registry.js';
import type { Clock } from '../time/clock.js';
import { createNotifier } from '../time/notifier.js';
import { deferred, unlessAborted } from '../time/wait.js';
import type { CapabilityCache } from './capabilityCache.js';
import type { ChosenScanner } from './chosenScanner.js';
import type { Lanes } from './lanes.js';

/** How often it is asked whether auto-scan feeds: nothing tells. */
const LOOK_MS = 100;

export interface DriverChanges {
  /**
   * A known scanner, when its driver is not about to change: it does not until `end` is called.
   * @throws as `Devices.find`; the signal's reason
   */
  take(name: string, signal?: AbortSignal): Promise<{ readonly known: KnownDevice; end(): void }>;
  /** Takes it for as long as the work lasts. @throws as `take`, and what the work throws */
  during<Result>(name: string, work: (known: KnownDevice) => Promise<Result>): Promise<Result>;
  /**
   * Scans with scanners of these drivers end first, and those that are asked for meanwhile wait; auto-scan on them is
   * turned off between two documents, and they are closed. One change at a time.
   * @param change closes the leaving ones, and returns all drivers that there are then. May not reject
   */
  change(leaving: readonly Driver[], change: () => Promise<readonly Driver[]>): Promise<void>;
  /** Follows no driver any more. */
  close(): void;
}

/** Ends auto-scan on some scanners, and keeps the pages that no reader took. */
export interface AutoscanEnds {
  /** The driver of the scanners is changed. */
  changed(isMeant: (known: KnownDevice) => boolean): Promise<void>;
  /** The program that owns the scanners has disconnected. */
  lost(isMeant: (known: KnownDevice) => boolean): Promise<void>;
}

export interface DriverChangeParts {
  readonly devices: Devices;
  readonly lanes: Lanes;
  readonly cache: CapabilityCache;
  readonly chosen: ChosenScanner;
  readonly autoscan: AutoscanEnds;
  readonly clock: Clock;
  readonly registry: Pick<Registry, 'drivers'>;
}

export function createDriverChanges(parts: DriverChangeParts): DriverChanges {
  const { devices, lanes, cache, chosen, autoscan, clock, registry } = parts;
  let unlink = followLinks(registry.drivers, autoscan, lanes);
  const uses = new Map<Driver, number>();
  const change = createNotifier();
  let running: { readonly leaving: readonly Driver[]; readonly over: Promise<void> } | undefined;

  const count = (driver: Driver, more: 1 | -1): void => {
    uses.set(driver, (uses.get(driver) ?? 0) + more);
    change.notify();
  };

  async function vacate(leaving: readonly Driver[]): Promise<void> {
    const isLeaving = ({ driver }: KnownDevice): boolean => leaving.includes(driver);
    while (leaving.some(driver => (uses.get(driver) ?? 0) > 0)) await change.wait();
    await chosen.settled();
    const theirs = () => lanes.used.filter(({ scanner: { current } }) => current && isLeaving(current.known));
    while (theirs().some(({ scanner }) => scanner.state === 'scanning')) await passed(LOOK_MS);
    await autoscan.changed(isLeaving);
    await Promise.all(leaving.map(cache.forget));
    for (const { scanner } of theirs()) {
      await scanner.still();
      await scanner.close().catch(() => undefined);
    }
  }

  const passed = (ms: number): Promise<void> => new Promise(resolve => void clock.after(ms, resolve));

  const take: DriverChanges['take'] = async (name, signal) => {
    for (;;) {
      const known = await devices.find(name);
      if (running?.leaving.includes(known.driver)) {
        await unlessAborted(running.over, signal);
        continue;
      }
      count(known.driver, 1);
      return { known, end: () => count(known.driver, -1) };
    }
  };

  return {
    take,
    async during(name, work) {
      const { known, end } = await take(name);
      return work(known).finally(end);
    },
    async change(leaving, next) {
      const { promise: over, resolve } = deferred<void>();
      running = { leaving, over };
      try {
        if (leaving.length > 0) await vacate(leaving);
        unlink();
        const drivers = await next();
        unlink = followLinks(drivers, autoscan, lanes);
        devices.use(drivers);
      } finally {
        for (const driver of leaving) uses.delete(driver);
        running = undefined;
        resolve();
      }
    },
    close: () => unlink(),
  };
}

/** A scanner may belong to a program that disconnects; the driver reports this to a running scan. */
function followLinks(drivers: readonly Driver[], autoscan: AutoscanEnds, lanes: Lanes): () => void {
  const lost = async (driver: Driver): Promise<void> => {
    await autoscan.lost(known => known.driver === driver);
    for (const { scanner } of lanes.used)
      if (scanner.state === 'open' && scanner.current?.known.driver === driver) await scanner.close();
  };
  const ends = drivers.map(driver => driver.link?.onChange(connected => void (connected || lost(driver))));
  return () => ends.forEach(end => end?.());
}
