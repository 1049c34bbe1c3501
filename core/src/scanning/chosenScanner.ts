/** The interface's "open scanner": one for the service, the last that a client opened. */
import { ScanError } from '../contract/errors.js';
import type { KnownDevice } from '../devices/devices.js';
import type { CapabilityCache } from './capabilityCache.js';
import type { Lane, Lanes } from './lanes.js';
import { isSame, type OpenDevice } from './openDevice.js';

export interface ChosenScanner {
  /**
   * Its lane: the one that a client opened, and otherwise the one of a scan that has opened its scanner. Undefined if no
   * scanner is open.
   */
  readonly lane: Lane | undefined;
  readonly current: OpenDevice | undefined;
  /**
   * Succeeds if it is open. Another one that a client opened is closed, or stays open for as long as it is used.
   * @param takesOver also if another one is chosen and used
   * @throws `busy`, or the driver's error
   */
  open(known: KnownDevice, takesOver?: boolean): Promise<void>;
  /** @param lane the chosen one. @returns whether its scanner was open. @throws `busy` while it is used */
  close(lane: Lane | undefined): Promise<boolean>;
  /** Resolves when nothing is being opened any more; never rejects. */
  settled(): Promise<unknown>;
}

export interface ChosenScannerParts {
  readonly lanes: Lanes;
  readonly cache: Pick<CapabilityCache, 'quiet'>;
  /** Ends an opening. */
  readonly signal: AbortSignal;
}

export function createChosenScanner({ lanes, cache, signal }: ChosenScannerParts): ChosenScanner {
  let chosen: Lane | undefined;
  const openings = new Map<Lane, Promise<void>>();

  const shown = (): Lane | undefined => {
    // Auto-scan may be opening it again.
    if (chosen?.scanner.current ?? chosen?.user) return chosen;
    return lanes.used.findLast(({ scanner }) => scanner.current);
  };

  /** @throws `busy` while it is opened or closed */
  const assertStill = (lane: Lane): void => {
    const { state } = lane.scanner;
    if (!openings.has(lane) && state !== 'opening' && state !== 'closing') return;
    const doing = state === 'closing' ? 'closed' : 'opened';
    throw new ScanError('busy', `A scanner is being ${doing}. Try again in a moment.`);
  };

  return {
    get lane() {
      return shown();
    },
    get current() {
      return shown()?.scanner.current;
    },
    async open(known, takesOver = false) {
      const lane = lanes.of(known);
      const isOpen = (): boolean => {
        const { current, state } = lane.scanner;
        return current !== undefined && isSame(current.known, known) && state !== 'closing';
      };
      const assertMayOpen = (): void => {
        // Auto-scan on the same scanner is no reason: it is open.
        if (lane.user && !(lane.user.kind === 'auto-scan' && isOpen())) lane.assertFree();
        if (openings.has(lane)) assertStill(lane);
        if (takesOver) return;
        if (chosen && chosen !== lane) {
          chosen.assertFree();
          assertStill(chosen);
        }
        // A client that enabled auto-scan may go on without a name, and means its own scanner.
        for (const each of lanes.used) if (each !== lane && each.user?.kind === 'auto-scan') each.assertFree();
      };
      assertMayOpen();
      if (isOpen() && chosen === lane) return;
      await cache.quiet(lane);
      assertMayOpen();
      const before = chosen === lane ? undefined : chosen;
      chosen = lane;
      const opening = (async () => {
        await before?.scanner.letGo();
        await cache.quiet(lane);
        await lane.scanner.open(known, { signal });
        // Another one was chosen meanwhile.
        if (chosen !== lane) await lane.scanner.letGo();
      })();
      openings.set(lane, opening);
      await opening.finally(() => openings.delete(lane));
    },
    async close(lane = chosen) {
      if (!lane) return false;
      lane.assertFree();
      const wasOpen = lane.scanner.current !== undefined;
      await lane.scanner.close();
      if (chosen === lane) chosen = undefined;
      return wasOpen;
    },
    settled: () => Promise.allSettled(openings.values()),
  };
}
