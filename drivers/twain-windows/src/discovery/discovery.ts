/** Finds the sources of both bitnesses, in helpers that run for one listing, and reads the capabilities of each. */
import type { Device, Log } from '@platen/core/plugin';
import { withHelpers, type DeviceList, type Found, type Helper } from '@platen/driver-kit';
import { readAbilities, type Abilities } from '../capabilities/abilities.js';
import { createCapabilityNegotiation } from '../capabilities/capabilityNegotiation.js';
import { asScanError } from '../protocol/conditions.js';
import { createDataSource, type DataSource } from '../source/dataSource.js';
import type { Identity } from '../source/manager.js';
import type { SourceQuarantine } from '../source/quarantine.js';
import type { Bits, Deadlines, TwainOptions } from '../settings.js';
import { createSourceIdentities } from './sourceIdentities.js';

export interface TwainFound extends Found {
  readonly bits: Bits;
  /** Undefined before the source was first opened. */
  readonly abilities: Abilities | undefined;
}

export interface Learnt extends TwainFound {
  readonly abilities: Abilities;
}

export interface DiscoveryParts {
  readonly found: DeviceList<TwainFound>;
  createHelper(bits: Bits): Helper;
  readonly quarantine: SourceQuarantine;
  readonly log: Log;
  readonly deadlines: Deadlines;
  readonly options: Pick<TwainOptions, 'bits' | 'sources' | 'ask' | 'feeding'>;
}

export interface Discovery {
  /**
   * Asks the managers for their sources, and each unknown source for its capabilities.
   * @throws the signal's reason; the helpers' error, if none of them works
   */
  look(signal: AbortSignal): AsyncGenerator<TwainFound, void, undefined>;
  /** The source with that name in a helper. */
  recognise(dataSource: DataSource, bits: Bits, id: string): Promise<TwainFound | undefined>;
  /** Reads and stores the capabilities of an open source. */
  learn(dataSource: DataSource, before: TwainFound): Promise<Learnt>;
  /** Sources were installed or removed: those that hung or crashed are tried again. */
  retry(): void;
}

export function createDiscovery(parts: DiscoveryParts): Discovery {
  const { found, createHelper, quarantine, log, deadlines, options } = parts;
  const identities = createSourceIdentities(options, log);

  async function read(dataSource: DataSource, before: TwainFound): Promise<Learnt> {
    const { name } = before.device;
    const negotiation = createCapabilityNegotiation(dataSource, log, name);
    const abilities = await readAbilities(dataSource, negotiation, name, options.feeding === 'batch');
    const { capabilities, feeding } = abilities;
    const { feeder, flatbed } = capabilities;
    const duplex = feeder?.duplex ?? false;
    const has = { feeder: !!feeder, flatbed: !!flatbed, duplex, feeding, online: true };
    return { ...before, device: { ...before.device, ...has }, abilities };
  }

  /** Keeps the known capabilities of a source, unless another driver has its name now. */
  function note(identity: Identity, bits: Bits): TwainFound {
    const before = found.seen(identity.product);
    if (before?.bits === bits && before.device.manufacturer === identity.manufacturer) return before;
    return found.suppose({ device: guess(identity, options), bits, abilities: undefined });
  }

  /**
   * The sources to list; none is opened. A source with both bitnesses gets the one that the configuration names first.
   * @returns for each id whether its manager has just named it; if a manager failed, its sources are the known ones
   */
  async function namesOf(
    dataSources: ReadonlyMap<Bits, DataSource>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, boolean>> {
    const asked = [...dataSources].map(([bits, dataSource]) => identities.of(bits, dataSource, signal));
    const lists = await Promise.allSettled(asked);
    signal.throwIfAborted();
    const names = new Map<string, boolean>();
    for (const [i, bits] of [...dataSources.keys()].entries()) {
      const list = lists[i]!;
      if (list.status === 'fulfilled') {
        const others = list.value.filter(({ product }) => !names.has(product));
        for (const identity of others) names.set(note(identity, bits).device.id, true);
      } else {
        const known = found.before()?.filter(each => each.bits === bits && !names.has(each.device.id)) ?? [];
        for (const { device } of known) names.set(device.id, false);
      }
    }
    const failures = lists.filter(list => list.status === 'rejected');
    if (names.size === 0 && failures.length === lists.length) throw failures[0]!.reason;
    return names;
  }

  async function ask(id: string, dataSources: ReadonlyMap<Bits, DataSource>): Promise<TwainFound> {
    const before = found.seen(id)!;
    if ((before.abilities && before.device.online) || options.ask === 'opening') return before;
    const dataSource = dataSources.get(before.bits)!;
    const now = await found.ask(id, {
      async ask() {
        try {
          await dataSource.open(id);
          return await read(dataSource, before);
        } finally {
          await dataSource.stepDownTo('managed');
        }
      },
      explain: error => asScanError(error, id, dataSource.isOpen),
      guess: ({ code }) => ({ ...before, device: { ...before.device, online: code === 'busy' } }),
    });
    return now ?? before;
  }

  return {
    look(signal) {
      const helpers = options.bits.map(bits => createHelper(bits));
      return withHelpers(helpers, signal, async function* () {
        const dataSourceOf = (bits: Bits, i: number) =>
          createDataSource(helpers[i]!, deadlines, log, quarantine.guard(bits, signal));
        const dataSources = new Map(options.bits.map((bits, i) => [bits, dataSourceOf(bits, i)]));
        try {
          for (const [id, isNamed] of await namesOf(dataSources, signal)) {
            yield isNamed ? await ask(id, dataSources) : found.seen(id)!;
          }
        } finally {
          await Promise.all([...dataSources.values()].map(dataSource => dataSource.stepDownTo('loaded')));
        }
      });
    },
    async recognise(dataSource, bits, id) {
      const identity = await identities.find(dataSource, id);
      return identity && note(identity, bits);
    },
    async learn(dataSource, before) {
      const learnt = await read(dataSource, before);
      found.learn(learnt);
      return learnt;
    },
    retry() {
      identities.retry();
      quarantine.clear();
    },
  };
}

/** The guess for a source that was never opened: most scanners have a feeder and a flatbed. */
function guess({ product, manufacturer }: Identity, { feeding }: Pick<TwainOptions, 'feeding'>): Device {
  return {
    id: product,
    name: product,
    manufacturer,
    model: product,
    online: true,
    feeder: true,
    flatbed: true,
    duplex: false,
    feeding: feeding === 'batch' ? 'continuous' : 'perSheet',
  };
}
