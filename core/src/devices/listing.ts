/** One driver's known scanners: remembered from the previous run, discovered, or announced by the driver. */
import type { Call, Device, Driver } from '../contract/driver.js';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';

/** A slower discovery is logged with its driver, and calls no longer wait for it. */
export const SLOW_MS = 3000;
/** A discovery that takes longer is abandoned. */
const ABANDON_MS = 30_000;
/** A discovery younger than this is not repeated. */
export const FRESH_MS = 1000;
/** The same for a driver that watches: it announces changes itself. */
export const WATCHED_FRESH_MS = 10_000;

export interface ListedDevice {
  readonly device: Device;
  /**
   * Known from the previous run; the driver has not confirmed it yet. Its device is as it was, and offline once a
   * discovery ended without it.
   */
  readonly remembered: boolean;
}

export interface Listing {
  readonly driver: Driver;
  /** In a stable order, so that a suffix stays with its scanner. */
  readonly devices: readonly ListedDevice[];
  /** Whether a discovery has ended. */
  readonly looked: boolean;
  /** Whether its discovery is slow. Reset by a discovery that ends in time. */
  readonly slow: boolean;
  /** Why the last discovery found nothing, or not all scanners; undefined if it succeeded. */
  readonly failure: string | undefined;
  /**
   * Discovers, unless the last discovery is younger than `freshMs`. Resolves when the discovery has ended, also on
   * failure.
   */
  look(freshMs?: number): Promise<void>;
  /**
   * While the driver scans, it is not asked, and a running discovery is abandoned. Returns a function that ends the
   * hold.
   */
  hold(): () => void;
  close(): void;
}

export interface ListingParts {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly log: Log;
  /** From the previous run. */
  readonly remembered: readonly Device[];
  /** Called for each device that a discovery finds, and at its end. */
  onProgress(): void;
}

export function createListing({ driver, clock, log, remembered, onProgress }: ListingParts): Listing {
  let devices: readonly ListedDevice[] = remembered.map(device => ({ device, remembered: true }));
  /** Devices that the running discovery has found so far. */
  let found: Device[] = [];
  /** When the last discovery ended that was not abandoned; -Infinity after an announced change. */
  let at = -Infinity;
  /** The same, also if it was abandoned, and whatever was announced. */
  let endedAt = -Infinity;
  let changes = 0;
  let holds = 0;
  let running: Promise<void> | undefined;
  let halt = new AbortController();
  let slow = false;
  /** Message of the last discovery's failure. */
  let said: string | undefined;
  let closed = false;
  let cancelSoon = (): void => undefined;
  const endWatch = watch(driver, log, () => {
    changes++;
    at = -Infinity;
    // If discovery itself triggers announcements, an immediate repeat would never end: those wait for the next list.
    if (!running) lookSoon();
  });
  const usualFreshMs = endWatch ? WATCHED_FRESH_MS : FRESH_MS;

  function lookSoon(): void {
    cancelSoon();
    cancelSoon = clock.after(Math.max(0, endedAt + FRESH_MS - clock.monotonic()), () => void look());
  }

  function look(freshMs = usualFreshMs): Promise<void> {
    if (running) return running;
    const isAway = driver.link !== undefined && !driver.link.peer;
    if (closed || isAway || holds > 0 || clock.monotonic() - at < freshMs) return Promise.resolve();
    running = discover().finally(() => {
      running = undefined;
      endedAt = clock.monotonic();
      onProgress();
    });
    return running;
  }

  async function discover(): Promise<void> {
    const before = changes;
    const { signal } = (halt = new AbortController());
    const mine: Device[] = (found = []);
    let late = false;
    const cancelLate = clock.after(SLOW_MS, () => {
      late = true;
      if (!slow) log.warn(slowInWords(driver));
      slow = true;
      onProgress();
    });
    const search = createSearch(driver, device => {
      mine.push(device);
      onProgress();
    });
    try {
      await callWithin(clock, ABANDON_MS, 'looking for scanners', search.run, signal);
      devices = inPlace(devices, mine).filter(({ device }) => mine.includes(device));
      said = undefined;
    } catch (error) {
      // The same repeated failure is logged once.
      if (!signal.aborted && said !== messageOf(error))
        log.warn(`The driver ${driver.id} could not list all of its scanners: ${messageOf(error)}`);
      devices = inPlace(devices, mine);
      if (signal.aborted) return;
      said = messageOf(error);
      devices = devices.map(each => (each.remembered ? { ...each, device: { ...each.device, online: false } } : each));
    } finally {
      cancelLate();
    }
    // A driver that leaves out scanners in each search is neither slow nor asked by each list for that.
    if (!search.ended) return;
    at = changes === before ? clock.monotonic() : -Infinity;
    if (slow && !late) log.info(`The driver ${driver.id} lists its scanners in time again.`);
    slow = late;
  }

  function abandon(): void {
    halt.abort(new ScanError('cancelled', 'Looking for scanners was abandoned.'));
  }

  return {
    driver,
    get devices() {
      return running ? inPlace(devices, found) : devices;
    },
    get looked() {
      return endedAt > -Infinity;
    },
    get slow() {
      return slow;
    },
    get failure() {
      return said;
    },
    look,
    hold() {
      holds++;
      abandon();
      let held = true;
      return () => {
        if (held) holds--;
        held = false;
      };
    },
    close() {
      closed = true;
      endWatch?.();
      cancelSoon();
      abandon();
    },
  };
}

/** @returns a function that ends the watch; undefined if the driver does not watch */
function watch(driver: Driver, log: Log, onChange: () => void): (() => void) | undefined {
  try {
    return driver.watch?.(onChange);
  } catch (error) {
    log.warn(`The driver ${driver.id} could not watch for scanners: ${messageOf(error)}`);
    return undefined;
  }
}

interface Search {
  /** Asks the driver for all its scanners. */
  run(call: Call): Promise<void>;
  /** Whether the driver's search ended, also by failure; false if it was abandoned. */
  readonly ended: boolean;
}

function createSearch(driver: Driver, onFound: (device: Device) => void): Search {
  let ended = false;
  return {
    async run(call) {
      try {
        for await (const device of driver.devices(call)) {
          if (call.signal.aborted) return;
          onFound(device);
        }
      } finally {
        ended = !call.signal.aborted;
      }
    },
    get ended() {
      return ended;
    },
  };
}

const slowInWords = ({ id }: Driver): string =>
  `The driver ${id} has been looking for scanners for ${SLOW_MS / 1000} s. Lists and scans no longer wait for it; scanners are listed as it finds them.`;

/** Known devices keep their positions; new ones follow. */
function inPlace(known: readonly ListedDevice[], found: readonly Device[]): ListedDevice[] {
  const listed = (device: Device): ListedDevice => ({ device, remembered: false });
  const kept = known.map(each => {
    const again = found.find(device => device.id === each.device.id);
    return again ? listed(again) : each;
  });
  return [...kept, ...found.filter(device => !known.some(each => each.device.id === device.id)).map(listed)];
}
