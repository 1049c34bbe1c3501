/** macOS's device browser: one helper lists the connected scanners, from the first question on, and reports changes. */
import { delay } from '@platen/core/driver';
import { boundHelper, type Helper } from '@platen/driver-kit';
import { browse, type HelperEvent } from './device/events.js';

export interface Browser {
  /** The scanners that are listed now. */
  ids(): readonly string[];
  /** The browser's name for a scanner; the id of one that is not listed. */
  nameOf(id: string): string;
  /** Resolves when all local scanners are listed; network scanners may still come. Starts browsing. */
  looked(): Promise<void>;
}

export interface BrowserParts {
  readonly helper: Helper;
  readonly network: boolean;
  /** The time for the helper's answer, and again for the list, ms. */
  readonly deadlineMs: number;
  /** A scanner came or went. */
  onChange(id: string): void;
}

export function createBrowser({ helper, network, deadlineMs, onChange }: BrowserParts): Browser {
  const names = new Map<string, string>();
  let browsing: Promise<void> | undefined;
  let onEnumerated: (() => void) | undefined;

  const bound = boundHelper(helper, () => {
    browsing = undefined;
    names.clear();
    onEnumerated?.();
  });

  function onEvent({ event, device, name = '' }: HelperEvent): void {
    if (event === 'enumerated') onEnumerated?.();
    if (device === undefined || (event !== 'added' && event !== 'removed')) return;
    if (event === 'added') names.set(device, name || device);
    else names.delete(device);
    onChange(device);
  }

  async function look(): Promise<void> {
    const enumerated = new Promise<void>(resolve => (onEnumerated = resolve));
    await browse(bound, { network }, deadlineMs, onEvent);
    const patience = new AbortController();
    const late = delay(deadlineMs, patience.signal).catch(() => undefined);
    await (network ? late : Promise.race([enumerated, late]));
    patience.abort();
  }

  return {
    ids: () => [...names.keys()],
    nameOf: id => names.get(id) ?? id,
    looked() {
      browsing ??= look().catch((error: unknown) => {
        browsing = undefined;
        throw error;
      });
      return browsing;
    },
  };
}
