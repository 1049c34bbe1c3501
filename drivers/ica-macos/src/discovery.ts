/** The scanners that are there: one helper browses for as long as the driver is used, and says who comes and goes. */
import type { Capabilities, Device, Log } from '@platen/core/plugin';
import { delay, unlessAborted } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { askCapabilities } from './capabilities.js';
import { browse, type HelperEvent } from './events.js';
import { createHandle } from './handle.js';
import type { Deadlines } from './settings.js';
import { asScanError } from './statuses.js';

/** A scanner that could not be opened to be asked what it has is not asked again before. */
const REST_MS = 60_000;

export interface Found {
  readonly device: Device;
  readonly capabilities: Capabilities;
}

export interface ListerParts {
  createHelper(log: Log): Helper;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly network: boolean;
  /** Scanners in use are not opened to be asked. */
  isInUse(id: string): boolean;
}

export interface Lister {
  /** @throws the signal's reason; what the helper failed with */
  list(signal: AbortSignal): AsyncGenerator<Device, void, undefined>;
  /** What was once learnt of a scanner. */
  known(id: string): Found | undefined;
  learn(id: string, capabilities: Capabilities, name: string): Device;
  /** Resolves when the lister has the scanner not open. */
  letGo(id: string): Promise<void>;
  /** Calls back when scanners came or went; browses for it. */
  watch(onChange: () => void): () => void;
  close(): Promise<void>;
}

export function createLister({ createHelper, log, deadlines, network, isInUse }: ListerParts): Lister {
  const names = new Map<string, string>();
  const known = new Map<string, Found>();
  const unasked = new Map<string, { readonly device: Device; readonly until: number }>();
  const asking = new Map<string, Promise<Device>>();
  /** Listed with a guess while they were being asked. */
  const guessed = new Set<string>();
  /** Their helpers. */
  const askers = new Set<Helper>();
  let isClosed = false;
  const watchers = new Set<() => void>();
  // What a helper that only looks around dies of is said once, by the driver.
  const quiet: Log = { ...log, warn: log.debug };
  const helper = createHelper(quiet);
  let browsing: Promise<void> | undefined;
  let onEnumerated: (() => void) | undefined;

  helper.onExit(() => {
    browsing = undefined;
    names.clear();
    onEnumerated?.();
  });

  function onEvent({ event, device, name = '' }: HelperEvent): void {
    if (event === 'enumerated') onEnumerated?.();
    if (device === undefined || (event !== 'added' && event !== 'removed')) return;
    if (event === 'added') names.set(device, name || device);
    else names.delete(device);
    unasked.delete(device);
    tell();
  }

  function tell(): void {
    for (const each of watchers) each();
  }

  /** Until the scanners of this computer are through; those of the network go on coming. */
  async function look(): Promise<void> {
    const enumerated = new Promise<void>(resolve => (onEnumerated = resolve));
    await browse(helper, { network }, deadlines.look, onEvent);
    const patience = new AbortController();
    const wait = (ms: number) => delay(ms, patience.signal).catch(() => undefined);
    await (network ? wait(deadlines.look) : Promise.race([enumerated, wait(deadlines.look)]));
    patience.abort();
  }

  function looked(): Promise<void> {
    browsing ??= look().catch((error: unknown) => {
      browsing = undefined;
      throw error;
    });
    return browsing;
  }

  function deviceOf(id: string, capabilities: Capabilities | undefined, name = names.get(id) ?? id): Device {
    return {
      id,
      name,
      // macOS does not tell it: names begin with it.
      manufacturer: name.split(' ')[0] ?? name,
      model: name,
      online: true,
      feeder: capabilities?.feeder !== undefined,
      // Most scanners have one: the best guess until one could be asked.
      flatbed: !capabilities || capabilities.flatbed !== undefined,
      duplex: capabilities?.feeder?.duplex ?? false,
      feeding: 'continuous',
      traits: { listsOcrLanguages: true, ignoresPageSize: true, autoScanFailureLimit: 3 },
    };
  }

  function learn(id: string, capabilities: Capabilities, name: string): Device {
    const device = deviceOf(id, capabilities, name);
    known.set(id, { device, capabilities });
    return device;
  }

  async function ask(id: string): Promise<Device> {
    const before = known.get(id);
    if (before) return before.device;
    const rested = unasked.get(id);
    if ((rested && performance.now() < rested.until) || isInUse(id)) return rested?.device ?? deviceOf(id, undefined);
    const answer = asking.get(id) ?? askNow(id).finally(() => asking.delete(id));
    asking.set(id, answer);
    return answer;
  }

  /** In a helper of its own: one that hangs is no other scanner's. */
  async function askNow(id: string): Promise<Device> {
    const asker = createHelper(quiet);
    askers.add(asker);
    const handle = createHandle({ helper: asker, device: id, network, deadlines });
    try {
      const device = learn(id, await askCapabilities(handle, names.get(id) ?? id), handle.name);
      if (guessed.delete(id)) tell();
      return device;
    } catch (error) {
      const device = deviceOf(id, undefined);
      if (!isClosed) log.warn(`${asScanError(error, device.name).message} Until it can be opened, what it has is a guess.`);
      unasked.set(id, { device, until: performance.now() + REST_MS });
      return device;
    } finally {
      await asker.close();
      askers.delete(asker);
    }
  }

  return {
    known: id => known.get(id),
    learn,
    letGo: async id => void (await asking.get(id)),
    async *list(signal) {
      signal.throwIfAborted();
      const patience = new AbortController();
      const late = delay(deadlines.list, patience.signal).catch(() => undefined);
      try {
        await unlessAborted(Promise.race([looked(), late]), signal);
        const asked = [...names.keys()].map(id => ({ id, device: ask(id) }));
        for (const { id, device } of asked) {
          const answer = await unlessAborted(Promise.race([device, late]), signal);
          if (!answer) guessed.add(id);
          yield answer ?? deviceOf(id, undefined);
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
      isClosed = true;
      watchers.clear();
      await Promise.all([helper, ...askers].map(each => each.close()));
      await Promise.all(asking.values());
    },
  };
}
