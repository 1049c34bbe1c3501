/** The scanners of all drivers under unique names; listing never waits long for a slow driver. */
import type { Clock } from '../clock.js';
import type { Call, Device, Driver } from '../contract/driver.js';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { callWithin } from '../session/deadline.js';

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
  /** While a session of this driver scans, its discovery is not called, and one that runs is abandoned. Returns what ends that. */
  hold(driver: Driver): () => void;
  /** Nothing is looked for any more. */
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
  /** Changes that the driver announced so far. */
  changes: number;
  holds: number;
  running: Promise<void> | undefined;
  /** Abandons the running discovery. */
  halt: AbortController;
}

export function createDevices(drivers: readonly Driver[], clock: Clock, log: Log): Devices {
  const listings: Listing[] = drivers.map(driver => ({
    driver,
    devices: [],
    found: [],
    at: -Infinity,
    changes: 0,
    holds: 0,
    running: undefined,
    halt: new AbortController(),
  }));
  let closed = false;
  const unwatch = listings.map(listing => watch(listing, log));

  const refresh = (listing: Listing): Promise<void> => {
    if (listing.running) return listing.running;
    if (closed || listing.holds > 0 || clock.now() - listing.at < FRESH_MS) return Promise.resolve();
    listing.running = discover(listing, clock, log).finally(() => (listing.running = undefined));
    return listing.running;
  };

  const assertConnected = (): void => {
    const away = drivers.find(driver => driver.link && !driver.link.peer);
    if (!away) return;
    const { trouble } = away.link ?? {};
    throw new ScanError('not-connected', trouble === undefined ? 'The desktop application is not connected: start it on this computer.' : `The desktop application is not connected. ${trouble}`);
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
      if (listing) {
        listing.holds++;
        halt(listing);
      }
      let held = true;
      return () => {
        if (held && listing) listing.holds--;
        held = false;
      };
    },
    close() {
      closed = true;
      for (const end of unwatch) end?.();
      for (const listing of listings) halt(listing);
    },
  };
}

/** The interface's description of a scanner. */
export function describeScanner({ name, device }: KnownDevice) {
  const { manufacturer, model, online, feeder, flatbed, duplex } = device;
  return { name, manufacturer, model, isOnline: online, hasFeeder: feeder, hasFlatbed: flatbed, supportsDuplex: duplex };
}

/** A driver that cannot watch is asked again soon enough. */
function watch(listing: Listing, log: Log): (() => void) | undefined {
  const onChange = (): void => {
    listing.changes++;
    listing.at = -Infinity;
  };
  try {
    return listing.driver.watch?.(onChange);
  } catch (error) {
    log.warn(`The driver ${listing.driver.id} could not watch for scanners: ${messageOf(error)}`);
    return undefined;
  }
}

function halt(listing: Listing): void {
  listing.halt.abort(new ScanError('cancelled', 'Looking for scanners was abandoned.'));
}

async function discover(listing: Listing, clock: Clock, log: Log): Promise<void> {
  const { driver, changes } = listing;
  const { signal } = (listing.halt = new AbortController());
  const found: Device[] = (listing.found = []);
  const collect = async (call: Call): Promise<void> => {
    for await (const device of driver.devices(call)) {
      if (call.signal.aborted) return;
      found.push(device);
    }
  };
  try {
    await callWithin(clock, DISCOVERY_LIMIT_MS, 'looking for scanners', collect, signal);
    listing.devices = inPlace(listing.devices, found).filter(device => found.includes(device));
    listing.at = listing.changes === changes ? clock.now() : -Infinity;
  } catch (error) {
    if (!signal.aborted) log.warn(`The driver ${driver.id} could not list its scanners: ${messageOf(error)}`);
    listing.devices = inPlace(listing.devices, found);
  }
}

/** What was known keeps its place, so that a suffix stays with its scanner; what is new comes after it. */
function inPlace(known: readonly Device[], found: readonly Device[]): Device[] {
  const isKnown = (device: Device): boolean => known.some(each => each.id === device.id);
  return [...known.map(device => found.find(each => each.id === device.id) ?? device), ...found.filter(device => !isKnown(device))];
}

/** All known devices; where two are named alike, the later one gets a suffix. */
function named(listings: readonly Listing[]): KnownDevice[] {
  const taken = new Set<string>();
  const all: KnownDevice[] = [];
  for (const { driver, devices, found, running } of listings) {
    for (const device of running ? inPlace(devices, found) : devices) {
      let name = device.name;
      for (let n = 2; taken.has(name); n++) name = `${device.name} (${n})`;
      taken.add(name);
      all.push({ name, device, driver });
    }
  }
  return all;
}
