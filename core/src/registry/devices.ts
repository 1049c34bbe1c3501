/** The scanners of all drivers under unique names; listing never waits long for a slow driver. */
import type { Clock } from '../clock.js';
import type { Device, Driver } from '../contract/driver.js';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';

/** How long a listing waits for drivers; what comes later is in the next one. */
export const LIST_DEADLINE_MS = 3000;
/** A discovery that takes longer is abandoned. */
const DISCOVERY_LIMIT_MS = 30_000;
/** A listing this young is not asked for again. */
const FRESH_MS = 1000;

/** A scanner under the name that clients know it by. */
export interface KnownDevice {
  readonly name: string;
  readonly device: Device;
  readonly driver: Driver;
}

export interface Devices {
  /** @throws `not-connected` while a driver's other program is away */
  list(): Promise<readonly KnownDevice[]>;
  /** @throws `device-not-found` that names the scanners there are; `not-connected` */
  find(name: string): Promise<KnownDevice>;
  /** @throws `not-connected` */
  assertConnected(): void;
  /** While a session of this driver scans, its discovery is not called. Returns what ends that. */
  hold(driver: Driver): () => void;
  close(): void;
}

/** What is known of one driver's devices. */
interface Listing {
  readonly driver: Driver;
  devices: readonly Device[];
  /** Devices that a running discovery has found so far. */
  found: Device[];
  /** When the devices were last complete; -Infinity when a change was announced. */
  at: number;
  holds: number;
  running: Promise<void> | undefined;
}

export function createDevices(drivers: readonly Driver[], clock: Clock, log: Log): Devices {
  const listings: Listing[] = drivers.map(driver => ({ driver, devices: [], found: [], at: -Infinity, holds: 0, running: undefined }));
  const unwatch = listings.map(listing => listing.driver.watch?.(() => void (listing.at = -Infinity)));

  const refresh = (listing: Listing): Promise<void> => {
    if (listing.running) return listing.running;
    if (listing.holds > 0 || clock.now() - listing.at < FRESH_MS) return Promise.resolve();
    listing.found = [];
    listing.running = discover(listing, clock, log).finally(() => (listing.running = undefined));
    return listing.running;
  };

  const assertConnected = (): void => {
    if (drivers.some(driver => driver.link && !driver.link.peer)) {
      throw new ScanError('not-connected', 'The desktop application is not connected: start it on this computer.');
    }
  };

  const list = async (): Promise<readonly KnownDevice[]> => {
    assertConnected();
    let cancel = (): void => undefined;
    const late = new Promise<void>(resolve => (cancel = clock.after(LIST_DEADLINE_MS, resolve)));
    await Promise.race([Promise.all(listings.map(refresh)), late]);
    cancel();
    return named(listings);
  };

  return {
    list,
    assertConnected,
    async find(name) {
      const known = (await list()).find(each => each.name === name);
      if (known) return known;
      const names = named(listings).map(each => `"${each.name}"`);
      const rest = names.length ? `This computer has ${names.join(', ')}.` : 'This computer has none: connect one, or install its driver.';
      throw new ScanError('device-not-found', `There is no scanner named "${name}". ${rest}`);
    },
    hold(driver) {
      const listing = listings.find(each => each.driver === driver);
      if (listing) listing.holds++;
      let held = true;
      return () => {
        if (held && listing) listing.holds--;
        held = false;
      };
    },
    close() {
      for (const end of unwatch) end?.();
    },
  };
}

/** The interface's description of a scanner. */
export function describeScanner({ name, device }: KnownDevice) {
  const { manufacturer, model, online, feeder, flatbed, duplex } = device;
  return { name, manufacturer, model, isOnline: online, hasFeeder: feeder, hasFlatbed: flatbed, supportsDuplex: duplex };
}

async function discover(listing: Listing, clock: Clock, log: Log): Promise<void> {
  const { driver } = listing;
  const limit = new AbortController();
  const cancel = clock.after(DISCOVERY_LIMIT_MS, () => limit.abort(new ScanError('timeout', 'looking for scanners took too long')));
  try {
    for await (const device of driver.devices({ signal: limit.signal })) listing.found.push(device);
    listing.devices = listing.found;
    listing.at = clock.now();
  } catch (error) {
    log.warn(`The driver ${driver.id} could not list its scanners: ${messageOf(error)}`);
    listing.devices = listing.found;
  } finally {
    cancel();
  }
}

/** All known devices; where two are named alike, the later one gets a suffix. */
function named(listings: readonly Listing[]): KnownDevice[] {
  const taken = new Set<string>();
  const all: KnownDevice[] = [];
  for (const listing of listings) {
    const fresh = listing.running ? listing.found : [];
    const older = listing.devices.filter(device => !fresh.some(each => each.id === device.id));
    for (const device of [...older, ...fresh]) {
      let name = device.name;
      for (let n = 2; taken.has(name); n++) name = `${device.name} (${n})`;
      taken.add(name);
      all.push({ name, device, driver: listing.driver });
    }
  }
  return all;
}
