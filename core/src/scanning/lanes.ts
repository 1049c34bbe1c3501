/**
 * Lanes: what is used by one at a time. Each scanner has its own; the scanners of a driver whose library holds one device
 * at a time share one.
 */
import { ScanError } from '../contract/errors.js';
import type { KnownDevice } from '../registry/devices.js';
import { isSame } from './openDevice.js';
import { createOpenScanner, type OpenScanner, type OpenScannerParts } from './openScanner.js';

/** Who uses a lane: the object itself is who. */
export interface LaneUser {
  readonly kind: 'scan' | 'auto-scan';
}

export interface Lane {
  readonly scanner: OpenScanner;
  readonly user: LaneUser | undefined;
  /** @throws `busy` while somebody uses it */
  assertFree(): void;
  /** @throws `busy` */
  take(user: LaneUser): void;
  /** No effect if somebody else uses it. */
  leave(user: LaneUser): void;
}

export interface Lanes {
  /** The lane of a scanner: the one in which it is open, if it has a new id since. */
  of(known: KnownDevice): Lane;
  /** All with an open scanner or a user, the one that was opened last at the end. */
  readonly used: readonly Lane[];
}

export function createLanes(parts: OpenScannerParts): Lanes {
  const lanes = new Map<string, Lane>();

  const laneOf = (known: KnownDevice): Lane => {
    for (const lane of lanes.values()) {
      const { current } = lane.scanner;
      if (current && isSame(current.known, known)) return lane;
    }
    const key = keyOf(known);
    const lane = lanes.get(key) ?? createLane(parts);
    // At the end again: it is the last that somebody asked for.
    if (!isUsed(lane)) {
      lanes.delete(key);
      lanes.set(key, lane);
    }
    return lane;
  };

  return {
    of: laneOf,
    get used() {
      return [...lanes.values()].filter(isUsed);
    },
  };
}

const isUsed = ({ user, scanner }: Lane): boolean => user !== undefined || scanner.state !== 'closed';

function keyOf({ driver, device: { id, traits } }: KnownDevice): string {
  return JSON.stringify(traits?.oneAtATime ? [driver.id] : [driver.id, id]);
}

function createLane(parts: OpenScannerParts): Lane {
  const scanner = createOpenScanner(parts);
  let current: LaneUser | undefined;
  const assertFree = (): void => {
    if (!current) return;
    const name = scanner.current?.known.name;
    throw new ScanError('busy', current.kind === 'scan' ? scanning(name) : watched(name));
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
    leave(user) {
      if (current === user) current = undefined;
    },
  };
}

const scanning = (name: string | undefined): string =>
  `${name === undefined ? 'A scan is running' : `${name} is scanning`}. Try again when the scan has finished, or cancel it.`;

const watched = (name = 'the scanner'): string => `Auto-scan is enabled on ${name}. Disable it first.`;
