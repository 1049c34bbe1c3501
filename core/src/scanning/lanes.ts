/**
 * Lanes: what is used by one at a time. Each scanner has its own; the scanners of a driver whose library holds one device
 * at a time share one.
 */
import type { Driver } from '../contract/driver.js';
import { ScanError } from '../contract/errors.js';
import type { KnownDevice } from '../devices/devices.js';
import { deferred, unlessAborted } from '../time/wait.js';
import { isSame } from './openDevice.js';
import { createOpenScanner, type OpenScanner, type OpenScannerParts } from './openScanner.js';

/** Who uses a lane: the object itself is who. */
export interface LaneUser {
  readonly kind: 'scan' | 'auto-scan';
  /** Whether it is this origin's. */
  isOf(origin: string): boolean;
}

/** How a scan waits for a scanner in use. */
export interface InLine {
  /** Milliseconds at most. */
  readonly ms: number;
  /** Called with its place in line, from 1, whenever that changes; with undefined when it has the scanner. */
  told(place: number | undefined): void;
}

export interface Lane {
  readonly scanner: OpenScanner;
  readonly user: LaneUser | undefined;
  /** @throws `busy` while somebody uses it */
  assertFree(): void;
  /** @throws `busy` */
  take(user: LaneUser): void;
  /**
   * Takes it after those who came before: first come, first served.
   * @throws the signal's reason; `busy` when the time is up, or at once if the line is too long
   */
  takeInTurn(user: LaneUser, line: InLine, signal: AbortSignal): Promise<void>;
  /** The first in line has it then. No effect if somebody else uses it. */
  leave(user: LaneUser): void;
}

export interface Lanes {
  /** The lane of a scanner: the one in which it is open, if it has a new id since. */
  of(known: KnownDevice): Lane;
  /** Who uses the lane of a scanner; undefined if nobody does. */
  userOf(known: KnownDevice): LaneUser | undefined;
  /** Whether somebody uses a scanner of this driver. */
  usesDriver(driver: Driver): boolean;
  /** All with an open scanner or a user, the one that was opened last at the end. */
  readonly used: readonly Lane[];
}

export function createLanes(parts: OpenScannerParts): Lanes {
  const lanes = new Map<string, Lane>();

  const find = (known: KnownDevice): Lane | undefined => {
    for (const lane of lanes.values()) {
      const { current } = lane.scanner;
      if (current && isSame(current.known, known)) return lane;
    }
    return lanes.get(keyOf(known));
  };
  const laneOf = (known: KnownDevice): Lane => {
    const lane = find(known) ?? createLane(parts);
    // At the end again: it is the last that somebody asked for.
    if (!isUsed(lane)) for (const [key, each] of lanes) if (each === lane) lanes.delete(key);
    // Also by a new id, while it is used: whoever waits finds it when the scanner is closed for a moment.
    lanes.set(keyOf(known), lane);
    return lane;
  };

  return {
    of: laneOf,
    userOf: known => find(known)?.user,
    usesDriver: ({ id }) => [...lanes].some(([key, { user }]) => user !== undefined && driverIdOf(key) === id),
    get used() {
      return [...new Set(lanes.values())].filter(isUsed);
    },
  };
}

const isUsed = ({ user, scanner }: Lane): boolean => user !== undefined || scanner.state !== 'closed';

function keyOf({ driver, device: { id, traits } }: KnownDevice): string {
  return JSON.stringify(traits?.oneAtATime ? [driver.id] : [driver.id, id]);
}

const driverIdOf = (key: string): string => (JSON.parse(key) as [string])[0];

function createLane(parts: OpenScannerParts): Lane {
  const scanner = createOpenScanner(parts);
  let current: LaneUser | undefined;
  const waiting: Waiting[] = [];
  const tellPlaces = (from: number): void => waiting.slice(from).forEach(({ told }, at) => told(from + at + 1));
  const busy = (): ScanError => {
    const name = scanner.current?.known.name;
    return new ScanError('busy', current?.kind === 'auto-scan' ? watched(name) : scanning(name));
  };
  const assertFree = (): void => {
    if (current) throw busy();
  };
  const leave = (user: LaneUser): void => {
    if (current !== user) return;
    const next = waiting.shift();
    current = next?.user;
    next?.told(undefined);
    next?.begin();
    tellPlaces(0);
  };
  return {
    scanner,
    get user() {
      return current;
    },
    assertFree,
    take(user) {
      assertFree();
      current = user;
    },
    async takeInTurn(user, { ms, told }, signal) {
      signal.throwIfAborted();
      if (!current) return void (current = user);
      if (waiting.length >= LONGEST_LINE) throw busy();
      const { promise: turn, resolve, reject } = deferred<void>();
      const its: Waiting = { user, told, begin: resolve };
      waiting.push(its);
      tellPlaces(waiting.length - 1);
      const cancelTimer = parts.clock.after(ms, () => reject(busy()));
      try {
        await unlessAborted(turn, signal);
      } catch (error) {
        const at = waiting.indexOf(its);
        // Its turn came at the same moment: pass it on.
        if (at < 0) leave(user);
        else {
          waiting.splice(at, 1);
          tellPlaces(at);
        }
        throw error;
      } finally {
        cancelTimer();
      }
    },
    leave,
  };
}

/** More than people who stand at one scanner; a program that asks without end fills no disk with scans that wait. */
export const LONGEST_LINE = 50;

interface Waiting extends Pick<InLine, 'told'> {
  readonly user: LaneUser;
  begin(): void;
}

const scanning = (name: string | undefined): string =>
  `${name === undefined ? 'A scan is running' : `${name} is scanning`}. Try again when the scan has finished, or cancel it.`;

const watched = (name = 'the scanner'): string => `Auto-scan is enabled on ${name}. Disable it first.`;
