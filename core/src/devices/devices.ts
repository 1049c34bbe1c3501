/** The scanners of all drivers under unique names: answered from memory, while drivers watch and discover. */
import type { Device, Driver } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { createDiscoveryWaits } from './discoveryWaits.js';
import { createListing, FRESH_MS, SLOW_MS, type Listing } from './listing.js';

/** Milliseconds that a list waits for running discoveries; later finds are in the next list. */
export const LIST_WAIT_MS = 250;
/** The same from the start of the first discoveries on: many drivers answer within this. */
export const FIRST_WAIT_MS = 1000;

/** A scanner under the name that clients use. */
export interface KnownDevice {
  readonly name: string;
  readonly device: Device;
  readonly driver: Driver;
  /** Known from the previous run only: its driver has not found it again yet. Its device is as it was then. */
  readonly remembered?: true;
}

export interface ListingFailure {
  /** The driver's id. */
  readonly driver: string;
  readonly message: string;
}

export interface Devices {
  /** Starts discovery, so that the first list is not empty. */
  start(): void;
  /**
   * The known scanners, after at most `LIST_WAIT_MS`, or `FIRST_WAIT_MS` after the start; if none is known, after the
   * first find or one discovery.
   * @throws `not-connected` while a driver's other program is disconnected
   */
  list(): Promise<readonly KnownDevice[]>;
  /** The known scanners, without waiting or looking for any. @throws `not-connected` */
  listed(): readonly KnownDevice[];
  /** Whether each driver has finished one discovery, or is slow. */
  looked(): boolean;
  /** The known scanners, without waiting; starts a background discovery of drivers whose last one is old. */
  known(): readonly KnownDevice[];
  /** All scanners, when each driver has finished one discovery or when there are `enough`. @throws `not-connected` */
  look(enough?: (found: readonly KnownDevice[]) => boolean): Promise<readonly KnownDevice[]>;
  /**
   * A known name resolves at once; an unknown one waits for one discovery.
   * @throws `device-not-found` with the existing names; `not-connected`
   */
  find(name: string): Promise<KnownDevice>;
  /** The name under which a known scanner is listed: another driver may have another one for it. */
  nameOf(name: string): string;
  /** Discovers again after a scanner did not open. @returns the scanner that has its name now */
  again(known: KnownDevice): Promise<KnownDevice | undefined>;
  /** Ids of drivers whose discovery is so slow that calls do not wait for it. */
  slow(): readonly string[];
  /** Drivers whose last discovery failed, or could not find all scanners. */
  failures(): readonly ListingFailure[];
  /** @throws `not-connected` */
  assertConnected(): void;
  /**
   * While this driver scans, it is not asked for scanners, and a running discovery is abandoned.
   * Returns a function that ends the hold.
   */
  hold(driver: Driver): () => void;
  /**
   * From now on, the scanners of these drivers: those that it had go on as they are, and of a new one with the id of one
   * that goes, the scanners are known until it has found them again.
   */
  use(drivers: readonly Driver[]): void;
  /** Ends discovery. */
  close(): void;
}

/** Scanners by driver id, kept across restarts of the service. */
export interface DeviceMemory {
  readonly remembered: ReadonlyMap<string, readonly Device[]>;
  /** Called when the known scanners changed. */
  keep(devices: ReadonlyMap<string, readonly Device[]>): void;
}

export function createDevices(first: readonly Driver[], clock: Clock, log: Log, memory?: DeviceMemory): Devices {
  let drivers = first;
  const { waitFor, wake } = createDiscoveryWaits(clock);
  const onProgress = (): void => {
    wake();
    remember();
  };
  const listingFor = (driver: Driver, remembered: readonly Device[] = []): Listing =>
    createListing({ driver, clock, log, remembered, onProgress });
  let listings = drivers.map(driver => listingFor(driver, memory?.remembered.get(driver.id)));
  const listingOf = (driver: Driver): Listing | undefined => listings.find(each => each.driver === driver);
  const named = (): readonly KnownDevice[] => nameAll(listings).known;
  const called = (name: string): KnownDevice | undefined => {
    const { known, aliases } = nameAll(listings);
    return known.find(each => each.name === name) ?? aliases.get(name);
  };
  let kept = '';
  /** When the first discoveries started. */
  let startedAt: number | undefined;

  function remember(): void {
    if (!memory) return;
    const all = new Map(
      listings.map(({ driver, devices }) => [driver.id, devices.map(({ device }) => device)] as const),
    );
    const text = JSON.stringify([...all]);
    if (text !== kept) memory.keep(all);
    kept = text;
  }

  function assertConnected(): void {
    const away = drivers.find(driver => driver.link && !driver.link.peer);
    if (!away) return;
    const { trouble } = away.link ?? {};
    throw new ScanError(
      'not-connected',
      trouble === undefined
        ? 'The desktop application is not connected. Start it on this computer.'
        : `The desktop application is not connected. ${trouble}`,
    );
  }

  const allLooked = (): boolean => listings.every(each => each.looked || each.slow);

  return {
    start() {
      startedAt ??= clock.monotonic();
      for (const each of listings) void each.look();
    },
    async list() {
      assertConnected();
      startedAt ??= clock.monotonic();
      const firstMs = allLooked() ? 0 : startedAt + FIRST_WAIT_MS - clock.monotonic();
      await waitFor(listings, { ms: Math.max(LIST_WAIT_MS, firstMs), enough: () => false });
      // Report an empty list only after a discovery.
      if (named().length === 0) await waitFor(listings, { ms: SLOW_MS, enough: () => named().length > 0 });
      return named();
    },
    listed() {
      assertConnected();
      return named();
    },
    looked: allLooked,
    known() {
      for (const each of listings) void each.look();
      return named();
    },
    async look(enough = () => false) {
      assertConnected();
      await waitFor(listings, { enough: () => enough(named()), freshMs: FRESH_MS, patient: true });
      return named();
    },
    async find(name) {
      assertConnected();
      const at = called(name);
      if (at && !at.remembered) return at;
      const asked = at ? listings.filter(each => each.driver === at.driver) : listings;
      const isThere = (): boolean => {
        const known = called(name);
        return known !== undefined && !known.remembered;
      };
      await waitFor(asked, { ms: SLOW_MS, freshMs: FRESH_MS, enough: isThere });
      // A remembered scanner may still open.
      const known = called(name);
      if (known) return known;
      const names = named().map(each => `"${each.name}"`);
      const rest = names.length
        ? `This computer has ${names.join(', ')}.`
        : 'This computer has none. Connect one, or install its driver.';
      throw new ScanError('device-not-found', `There is no scanner named "${name}". ${rest}`);
    },
    nameOf: name => called(name)?.name ?? name,
    async again({ name, driver }) {
      const listing = listingOf(driver);
      // A discovery that is already running started before the scanner was missing.
      for (const freshMs of [Infinity, 0])
        if (listing) await waitFor([listing], { ms: SLOW_MS, freshMs, enough: () => false });
      return called(name);
    },
    slow: () => listings.filter(each => each.slow).map(({ driver }) => driver.id),
    failures: () =>
      listings.flatMap(({ driver, failure }) =>
        failure === undefined ? [] : [{ driver: driver.id, message: failure }],
      ),
    assertConnected,
    hold: driver => listingOf(driver)?.hold() ?? (() => undefined),
    use(next) {
      const before = listings;
      [drivers, listings] = [next, listingsAfter(before, next, listingFor)];
      const started = listings.filter(each => !before.includes(each));
      if (started.length > 0) startedAt = clock.monotonic();
      for (const each of started) void each.look();
      onProgress();
    },
    close() {
      for (const each of listings) each.close();
    },
  };
}

/** Those of drivers that go are closed; a new one with the id of one that goes has its scanners until it has looked. */
function listingsAfter(
  before: readonly Listing[],
  next: readonly Driver[],
  listingFor: (driver: Driver, remembered?: readonly Device[]) => Listing,
): Listing[] {
  const after = next.map(driver => {
    const own = before.find(each => each.driver === driver);
    const twin = before.find(each => each.driver.id === driver.id);
    return (
      own ??
      listingFor(
        driver,
        twin?.devices.map(({ device }) => device),
      )
    );
  });
  for (const each of before) if (!after.includes(each)) each.close();
  return after;
}

/** The interface's description of a scanner. */
export function describeScanner({ name, device }: KnownDevice) {
  const { manufacturer, model, online, feeder, flatbed, duplex } = device;
  return {
    name,
    manufacturer,
    model,
    isOnline: online,
    hasFeeder: feeder,
    hasFlatbed: flatbed,
    supportsDuplex: duplex,
  };
}

/**
 * All devices under unique names: if two share a name, the later one gets a suffix. A scanner that two drivers list
 * has one entry, from the earlier driver; its name at the later driver is an alias. If only the later driver has it
 * online, the entry is from that driver.
 */
function nameAll(listings: readonly Listing[]): {
  known: readonly KnownDevice[];
  aliases: ReadonlyMap<string, KnownDevice>;
} {
  const taken = new Set<string>();
  const known: KnownDevice[] = [];
  /** Index in `known` of a scanner, by identity. */
  const places = new Map<string, number>();
  const aliased: [alias: string, place: number][] = [];
  for (const { driver, devices } of listings) {
    for (const { device, remembered } of devices) {
      const { identities = [] } = device;
      const place = identities
        .map(each => places.get(each))
        .find(each => each !== undefined && known[each]?.driver !== driver);
      const twin = place === undefined ? undefined : known[place];
      if (place !== undefined && twin) {
        aliased.push([device.name, place]);
        const isBetter = device.online && !remembered && (!twin.device.online || twin.remembered);
        if (isBetter) known[place] = { name: twin.name, device, driver };
        continue;
      }
      let name = device.name;
      for (let n = 2; taken.has(name); n++) name = `${device.name} (${n})`;
      taken.add(name);
      for (const each of identities) if (!places.has(each)) places.set(each, known.length);
      known.push({ name, device, driver, ...(remembered && { remembered }) });
    }
  }
  return {
    known,
    aliases: new Map(aliased.flatMap(([alias, place]) => (known[place] ? [[alias, known[place]] as const] : []))),
  };
}
