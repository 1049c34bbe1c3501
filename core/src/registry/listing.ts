/** What is known of one driver's scanners: remembered from the last run, found by looking, announced by the driver. */
import type { Call, Device, Driver } from '../contract/driver.js';
import { messageOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { callWithin } from '../time/deadline.js';

/** A look that takes longer is slow: the driver is named in the log, and nobody waits for it any more. */
export const SLOW_MS = 3000;
/** A look that takes longer is abandoned. */
const ABANDON_MS = 30_000;
/** A look this young is not repeated. */
export const FRESH_MS = 1000;
/** The same of a driver that watches: it says by itself that something changed. */
export const WATCHED_FRESH_MS = 10_000;

export interface ListedDevice {
  readonly device: Device;
  /** Known from the last run of the service; the driver has not confirmed it yet. Its device is offline. */
  readonly remembered: boolean;
}

export interface Listing {
  readonly driver: Driver;
  /** In an order that lasts, so that a suffix stays with its scanner. */
  readonly devices: readonly ListedDevice[];
  /** Whether a look has ended. */
  readonly looked: boolean;
  /** Its looks take long. Once true it stays so until a look ends in good time. */
  readonly slow: boolean;
  /** Looks, unless a look younger than `freshMs` is there. Resolves when the look has ended, however it ends. */
  look(freshMs?: number): Promise<void>;
  /** While the driver scans it is not asked, and a look that runs is abandoned. Returns what ends that. */
  hold(): () => void;
  close(): void;
}

export interface ListingParts {
  readonly driver: Driver;
  readonly clock: Clock;
  readonly log: Log;
  /** From the last run. */
  readonly remembered: readonly Device[];
  /** Called for each device that a look finds, and at its end. */
  onProgress(): void;
}

export function createListing({ driver, clock, log, remembered, onProgress }: ListingParts): Listing {
  let devices: readonly ListedDevice[] = remembered.map(device => ({
    device: { ...device, online: false },
    remembered: true,
  }));
  /** What the running look has found so far. */
  let found: Device[] = [];
  /** When the last look came to its end; -Infinity when a change was announced since. */
  let at = -Infinity;
  /** When the last look ended, however it did. */
  let endedAt = -Infinity;
  let changes = 0;
  let holds = 0;
  let running: Promise<void> | undefined;
  let halt = new AbortController();
  let slow = false;
  /** What the last look failed with. */
  let said: string | undefined;
  let closed = false;
  let cancelSoon = (): void => undefined;
  const endWatch = watch();
  const usualFreshMs = endWatch ? WATCHED_FRESH_MS : FRESH_MS;

  function watch(): (() => void) | undefined {
    try {
      return driver.watch?.(() => {
        changes++;
        at = -Infinity;
        // A driver whose looks themselves announce changes would be asked for ever: those wait for the next list.
        if (!running) lookSoon();
      });
    } catch (error) {
      log.warn(`The driver ${driver.id} could not watch for scanners: ${messageOf(error)}`);
      return undefined;
    }
  }

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
      if (!slow)
        log.warn(
          `The driver ${driver.id} has been looking for scanners for ${SLOW_MS / 1000} s and has not finished. Lists and scans no longer wait for it; scanners that it finds are listed as they come.`,
        );
      slow = true;
      onProgress();
    });
    const collect = async (call: Call): Promise<void> => {
      for await (const device of driver.devices(call)) {
        if (call.signal.aborted) return;
        mine.push(device);
        onProgress();
      }
    };
    try {
      await callWithin(clock, ABANDON_MS, 'looking for scanners', collect, signal);
      devices = inPlace(devices, mine).filter(({ device }) => mine.includes(device));
      at = changes === before ? clock.monotonic() : -Infinity;
      if (slow && !late) log.info(`The driver ${driver.id} lists its scanners in good time again.`);
      slow = late;
      said = undefined;
    } catch (error) {
      // A driver that goes on failing alike is named once.
      if (!signal.aborted && said !== messageOf(error))
        log.warn(`The driver ${driver.id} could not list its scanners: ${messageOf(error)}`);
      if (!signal.aborted) said = messageOf(error);
      devices = inPlace(devices, mine);
    } finally {
      cancelLate();
    }
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

/** What was known keeps its place; what is new comes after it. */
function inPlace(known: readonly ListedDevice[], found: readonly Device[]): ListedDevice[] {
  const listed = (device: Device): ListedDevice => ({ device, remembered: false });
  const kept = known.map(each => {
    const again = found.find(device => device.id === each.device.id);
    return again ? listed(again) : each;
  });
  return [...kept, ...found.filter(device => !known.some(each => each.device.id === device.id)).map(listed)];
}
