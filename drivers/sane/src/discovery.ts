/** Finds SANE's scanners, in a helper that runs for one listing. */
import type { Device, Log } from '@platen/core/plugin';
import {
  createQuarantine,
  HelperFailure,
  quietLog,
  withHelpers,
  type DeviceList,
  type Found,
  type Helper,
} from '@platen/driver-kit';
import {
  backendOf,
  backendsAsked,
  folderOfBackends,
  type BackendsAsked,
  type BackendsFolder,
} from './backendsAsked.js';
import { askAbilities } from './capabilities.js';
import { createHandle, jsonOf, type Handle } from './handle.js';
import type { MakeHelper } from './helper.js';
import { isAllowed, type Deadlines } from './settings.js';
import { guessedWays } from './options/sources.js';
import { asScanError } from './statuses.js';

/** Backends of devices that are not document scanners. */
const foreign = /^(?:v4l|gphoto2|dc\d+|dmc|qcam|stv680):/;

/** What to do about a backend that crashes or hangs. */
export const remedy =
  'Update the package that it belongs to; if none of your scanners needs it, put a # before it in dll.conf.';

export interface SaneFound extends Found {
  /** As SANE lists the device: `flatbed scanner`. */
  readonly type: string;
}

export interface DiscoveryParts {
  readonly found: DeviceList<SaneFound>;
  readonly createHelper: MakeHelper;
  readonly log: Log;
  readonly deadlines: Deadlines;
  /** Backends do not list a device in use. */
  isInUse(id: string): boolean;
  readonly localOnly: boolean;
  readonly devices: readonly string[] | undefined;
}

export interface Discovery {
  /** Asks SANE, and each device that is not known yet. @throws the signal's reason, or the helper's failure */
  look(signal: AbortSignal): AsyncGenerator<SaneFound, void, undefined>;
  /** The backends that the last search left out. */
  readonly skipped: readonly string[];
  /** Devices came or went: backends that crashed or hung are tried again. */
  retry(): void;
  /** Reads what a device has, stores it, and leaves the device open. */
  ask(handle: Handle, id: string): Promise<SaneFound>;
}

/** SANE_Device. */
interface Entry {
  readonly name: string;
  readonly vendor: string;
  readonly model: string;
  readonly type: string;
}

export function createDiscovery(parts: DiscoveryParts): Discovery {
  const { found, createHelper, log, deadlines, isInUse } = parts;
  const entries = new Map<string, Entry>();
  const quarantine = createQuarantine({
    log,
    called: name => `SANE's backend "${name}"`,
    when: 'in the search for scanners',
    unskipped: 'known scanners stay listed',
    remedy,
  });
  let skipped: readonly string[] = [];

  async function learn(handle: Handle, entry: Entry): Promise<SaneFound> {
    const { capabilities } = await askAbilities(handle, nameOf(entry), entry.type, log);
    const duplex = capabilities.feeder?.duplex ?? false;
    return { device: deviceOf(entry, { ...capabilities, duplex, online: true }), type: entry.type };
  }

  async function foundOf(entry: Entry, helper: Helper): Promise<SaneFound | undefined> {
    const before = found.known(entry.name)?.device;
    // The next plugged-in device may get the same USB address.
    if (before && (before.manufacturer !== entry.vendor || before.model !== entry.model)) found.forget(entry.name);
    const handle = createHandle(helper, entry.name, deadlines);
    return found.ask(entry.name, {
      ask: () => learn(handle, entry).finally(() => handle.close().catch(() => undefined)),
      explain: error => asScanError(error, nameOf(entry), handle.isOpen),
      guess({ code }, same) {
        if (code === 'unsupported') return undefined;
        const guess = { ...guessedWays(entry.type), duplex: false, online: false };
        return { device: { ...(same?.device ?? deviceOf(entry, guess)), online: code === 'busy' }, type: entry.type };
      },
    });
  }

  async function entriesOf(helper: Helper): Promise<readonly Entry[]> {
    const ask = (verb: string, args: object, deadlineMs: number, more = {}) =>
      helper.call(verb, args, { deadlineMs, ...more });
    await ask('init', {}, deadlines.init);
    const listed = (await jsonOf(ask, 'devices', { localOnly: parts.localOnly }, deadlines.list)) as readonly Entry[];
    return listed.filter(({ name }) => !foreign.test(name) && isAllowed(name, parts.devices));
  }

  /** A folder of configuration without these backends. @throws the helper's failure */
  async function folderWithout(skip: readonly string[], signal: AbortSignal): Promise<BackendsFolder> {
    const asked = backendsAsked(quietLog(log));
    const helper = createHelper(asked.log, asked);
    try {
      // Reads the configuration, and starts no backend.
      await helper.call('init', {}, { deadlineMs: deadlines.init, signal });
    } finally {
      await helper.close();
    }
    return folderOfBackends([...asked.configured].filter(name => !skip.includes(name)));
  }

  /** The backend that ended the helper is skipped from now on. @returns whether to search again without it */
  function blame({ current }: BackendsAsked, error: unknown): boolean {
    const isBroken = error instanceof HelperFailure && !error.isMissing;
    return isBroken && current !== undefined && quarantine.add(current, error);
  }

  /** What a search without some backends cannot tell: their scanners stay as they were, other missing ones are offline. */
  function* untold(listed: readonly Entry[], skip: readonly string[]): Generator<SaneFound, void, undefined> {
    for (const each of found.before() ?? []) {
      const { id } = each.device;
      if (listed.some(({ name }) => name === id)) continue;
      if (!skip.includes(backendOf(id)) && !isInUse(id)) found.answered(id, false);
      yield found.seen(id) ?? each;
    }
  }

  /** libsane asks all backends in one call, so one that crashes or hangs hides the scanners of all: repeated without it. */
  async function* look(signal: AbortSignal): AsyncGenerator<SaneFound, void, undefined> {
    for (let isDone = false; !isDone;) {
      const { skip } = quarantine;
      const asked = backendsAsked(quietLog(log));
      const folder = skip.length > 0 ? await folderWithout(skip, signal) : undefined;
      const helper = createHelper(asked.log, { env: asked.env, ...(folder && { front: folder.path }) });
      try {
        yield* withHelpers([helper], signal, async function* () {
          const listed = await entriesOf(helper).catch((error: unknown) => {
            if (signal.aborted || !blame(asked, error)) throw error;
          });
          if (!listed) return;
          isDone = true;
          skipped = skip;
          quarantine.release(asked.started);
          for (const entry of listed) {
            signal.throwIfAborted();
            entries.set(entry.name, entry);
            const each = await foundOf(entry, helper);
            if (each) yield each;
          }
          if (skip.length > 0) yield* untold(listed, skip);
        });
      } finally {
        await folder?.remove();
      }
    }
  }

  return {
    look,
    get skipped() {
      return skipped;
    },
    retry: () => quarantine.clear(),
    async ask(handle, id) {
      const entry = entries.get(id) ?? { name: id, vendor: '', model: '', type: '' };
      return found.learn(await learn(handle, entry));
    },
  };
}

type Has = Pick<Device, 'duplex' | 'online'> & { readonly feeder?: unknown; readonly flatbed?: unknown };

function deviceOf(entry: Entry, has: Has): Device {
  return {
    id: entry.name,
    name: nameOf(entry),
    manufacturer: entry.vendor,
    model: entry.model,
    online: has.online,
    feeder: has.feeder !== undefined,
    flatbed: has.flatbed !== undefined,
    duplex: has.duplex,
    feeding: 'perSheet',
    ...identitiesOf(entry),
  };
}

/**
 * A network scanner's address with the name that it announces, as the eSCL driver reports it. sane-airscan says
 * `airscan:e0:Office` and `ip=192.0.2.7`; the backend escl `escl:http://192.0.2.7:80`, and the name as its model, or the
 * one of its configuration.
 */
function identitiesOf({ name, model, type }: Entry): Pick<Device, 'identities'> {
  const [, origin = ''] = /^escl:(https?:.+)$/.exec(name) ?? [];
  if (URL.canParse(origin)) {
    const url = new URL(origin);
    // avahi's 127.0.0.1, renamed by the backend.
    if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
    return { identities: [`escl:${url.hostname.replace(/^\[|\]$/g, '')}/${model}`, `escl:${url.origin}/eSCL`] };
  }
  const [, announced] = /^airscan:e[\da-f]+:(.+)$/.exec(name) ?? [];
  const [, addresses] = /^ip=(.+)$/.exec(type) ?? [];
  if (announced === undefined || addresses === undefined) return {};
  return { identities: addresses.split(/[\s,]+/).map(address => `escl:${address}/${announced}`) };
}

/** `Noname frontend-tester`; if the model repeats the vendor, it appears once. */
export function nameOf({ name, vendor, model }: Entry): string {
  const has = model.toLowerCase().startsWith(vendor.toLowerCase());
  return (has ? model : `${vendor} ${model}`).replace(/\s+/g, ' ').trim() || name;
}
