/** Finds SANE's scanners, in a helper that runs for one listing. */
import { codeOf, type Device, type Log } from '@platen/core/plugin';
import { quietLog, withHelpers, type DeviceList, type Found, type Helper } from '@platen/driver-kit';
import { askAbilities } from './capabilities.js';
import { createHandle, jsonOf, type Handle } from './handle.js';
import type { MakeHelper } from './helper.js';
import { isAllowed, type Deadlines } from './settings.js';
import { guessedWays } from './sources.js';
import { asScanError } from './statuses.js';

/** Backends of devices that are not document scanners. */
const foreign = /^(?:v4l|gphoto2|dc\d+|dmc|qcam|stv680):/;
/** The debug level at which libsane names each backend before it starts with it. */
const LEVEL = '3';
const VARIABLE = 'SANE_DEBUG_DLL';

export interface SaneFound extends Found {
  /** As SANE lists the device: `flatbed scanner`. */
  readonly type: string;
}

export interface DiscoveryParts {
  readonly found: DeviceList<SaneFound>;
  readonly createHelper: MakeHelper;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly localOnly: boolean;
  readonly devices: readonly string[] | undefined;
}

export interface Discovery {
  /** Asks SANE, and each device that is not known yet. @throws the signal's reason, or the helper's failure */
  look(signal: AbortSignal): AsyncGenerator<SaneFound, void, undefined>;
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
  const { found, createHelper, log, deadlines } = parts;
  const entries = new Map<string, Entry>();
  /** The backend that the log has already named as holding up a listing. */
  let blamed: string | undefined;

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

  async function entriesOf(helper: Helper, asked: BackendAsked, signal: AbortSignal): Promise<readonly Entry[]> {
    const ask = (verb: string, args: object, deadlineMs: number, more = {}) =>
      helper.call(verb, args, { deadlineMs, ...more });
    try {
      await ask('init', {}, deadlines.init);
      const listed = (await jsonOf(ask, 'devices', { localOnly: parts.localOnly }, deadlines.list)) as readonly Entry[];
      blamed = undefined;
      return listed.filter(({ name }) => !foreign.test(name) && isAllowed(name, parts.devices));
    } catch (error) {
      if (codeOf(signal.aborted ? signal.reason : error) === 'timeout') blame(asked.backend);
      throw error;
    }
  }

  function blame(backend: string | undefined): void {
    if (backend === undefined || backend === blamed) return;
    blamed = backend;
    log.warn(
      `SANE's backend "${backend}" holds up the search for scanners; known ones stay listed. ` +
        'If none of your scanners needs it, put a # before it in dll.conf.',
    );
  }

  return {
    look(signal) {
      const asked = backendAsked(quietLog(log));
      const helper = createHelper(asked.log, asked.env);
      return withHelpers([helper], signal, async function* () {
        for (const entry of await entriesOf(helper, asked, signal)) {
          signal.throwIfAborted();
          entries.set(entry.name, entry);
          const each = await foundOf(entry, helper);
          if (each) yield each;
        }
      });
    },
    async ask(handle, id) {
      const entry = entries.get(id) ?? { name: id, vendor: '', model: '', type: '' };
      return found.learn(await learn(handle, entry));
    },
  };
}

/** The backend that a listing is waiting for: SANE asks them in turn in one call; only its debug messages say which. */
interface BackendAsked {
  /** Of the helper. */
  readonly env: NodeJS.ProcessEnv;
  /** The helper's log, without those messages. */
  readonly log: Log;
  /** The one started last: `net`. */
  readonly backend: string | undefined;
}

function backendAsked(log: Log): BackendAsked {
  let backend: string | undefined;
  const isWanted = process.env[VARIABLE] !== undefined;
  return {
    env: isWanted ? {} : { [VARIABLE]: LEVEL },
    log: {
      ...log,
      debug(line) {
        backend = /\[dll\] init: initializing backend `([^']{1,64})'/.exec(line)?.[1] ?? backend;
        if (isWanted || !/\[dll\] |\[sanei_debug\] .* dll /.test(line)) log.debug(line);
      },
    },
    get backend() {
      return backend;
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
 * sane-airscan reports a network scanner's address and announced name: `airscan:e0:Office`,
 * `ip=192.0.2.7`. So does the eSCL driver.
 */
function identitiesOf({ name, type }: Entry): Pick<Device, 'identities'> {
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
