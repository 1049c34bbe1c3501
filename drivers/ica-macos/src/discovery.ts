/** The connected scanners: one helper browses while the driver is used, and reports scanners that come or go. */
import { delay } from '@platen/core/driver';
import { unlessAborted, type Capabilities, type Device, type Log } from '@platen/core/plugin';
import { quietLog, type DeviceList, type Found, type Helper } from '@platen/driver-kit';
import { createBrowser } from './browser.js';
import { askCapabilities } from './capabilities.js';
import { createHandle } from './device/handle.js';
import type { Deadlines, IcaOptions } from './settings.js';
import { asScanError } from './statuses.js';

export interface IcaFound extends Found {
  /** Undefined if the device is a guess. */
  readonly capabilities: Capabilities | undefined;
}

export interface DiscoveryParts {
  readonly found: DeviceList<IcaFound>;
  createHelper(log: Log): Helper;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly network: boolean;
  readonly transfer: IcaOptions['transfer'];
}

export interface Discovery {
  /** @throws the signal's reason, or the helper's failure */
  list(signal: AbortSignal): AsyncGenerator<Device, void, undefined>;
  /** Stores the answer of an open scanner. */
  learn(id: string, capabilities: Capabilities, name: string): IcaFound;
  /** Calls back when scanners come or go; starts browsing. */
  watch(onChange: () => void): () => void;
  close(): Promise<void>;
}

export function createDiscovery({ found, createHelper, log, deadlines, network, transfer }: DiscoveryParts): Discovery {
  /** Scanners listed with a guess while they were being asked. */
  const guessed = new Set<string>();
  /** The helpers of the scanners that are being asked. */
  const askers = new Set<Helper>();
  const watchers = new Set<() => void>();
  const quiet = quietLog(log);
  const helper = createHelper(quiet);
  const browser = createBrowser({
    helper,
    network,
    deadlineMs: deadlines.look,
    onChange(id) {
      found.lookAgain(id);
      tell();
    },
  });
  const { nameOf, looked } = browser;

  function tell(): void {
    for (const each of watchers) each();
  }

  const guess = (id: string) => foundAs(id, nameOf(id));

  /** In a separate helper, so that a hanging scanner does not affect others. */
  async function askNow(id: string): Promise<IcaFound> {
    const asker = createHelper(quiet);
    askers.add(asker);
    try {
      const handle = createHandle({ helper: asker, device: id, network, deadlines });
      const capabilities = await askCapabilities(handle, nameOf(id), transfer);
      return foundAs(id, handle.name, capabilities);
    } finally {
      await asker.close();
      askers.delete(asker);
    }
  }

  async function ask(id: string): Promise<Device> {
    const answer = await found.ask(id, {
      ask: () => askNow(id),
      explain: error => asScanError(error, nameOf(id)),
      guess: () => guess(id),
    });
    if (answer?.capabilities && guessed.delete(id)) tell();
    return (answer ?? guess(id)).device;
  }

  return {
    learn: (id, capabilities, name) => found.learn(foundAs(id, name, capabilities)),
    async *list(signal) {
      signal.throwIfAborted();
      const patience = new AbortController();
      const late = delay(deadlines.list, patience.signal).catch(() => undefined);
      try {
        await unlessAborted(Promise.race([looked(), late]), signal);
        const asked = browser.ids().map(id => ({ id, device: ask(id) }));
        for (const { id, device } of asked) {
          const answer = await unlessAborted(Promise.race([device, late]), signal);
          if (!answer) guessed.add(id);
          yield answer ?? guess(id).device;
        }
      } finally {
        patience.abort();
      }
    },
    watch(onChange) {
      watchers.add(onChange);
      void looked().catch(() => undefined);
      return () => void watchers.delete(onChange);
    },
    async close() {
      watchers.clear();
      const asked = browser.ids();
      await Promise.all([helper, ...askers].map(each => each.close()));
      await Promise.all(asked.map(id => found.letGo(id)));
    },
  };
}

function foundAs(id: string, name: string, capabilities?: Capabilities): IcaFound {
  const device: Device = {
    id,
    name,
    // macOS does not report the manufacturer; names begin with it.
    manufacturer: name.split(' ')[0] ?? name,
    model: name,
    online: true,
    feeder: capabilities?.feeder !== undefined,
    // Most scanners have one: the best guess until the scanner can be asked.
    flatbed: !capabilities || capabilities.flatbed !== undefined,
    duplex: capabilities?.feeder?.duplex ?? false,
    feeding: 'continuous',
    traits: { listsOcrLanguages: true, ignoresPageSize: true, autoScanFailureLimit: 3 },
  };
  return { device, capabilities };
}
