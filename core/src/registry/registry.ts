/** All contributions of the loaded plugins, without duplicates. */
import type { DocumentFormat } from '../contract/document.js';
import type { Driver } from '../contract/driver.js';
import type { Format } from '../contract/format.js';
import type { Contributions, ProvidedName } from '../contract/plugin.js';
import type { CustomProcessor, Processor } from '../contract/processor.js';
import type { CustomRecogniser, Recogniser } from '../contract/recogniser.js';
import { deferred, settledWithin } from '../time/wait.js';
import { admit, readerName, type Admitted } from './admit.js';

/** The loaded contributions that process pages. */
export type Software = Pick<Registry, 'processors' | 'formats'> &
  Partial<Recognisers & Pick<Registry, 'readers' | 'whyNot'>>;

/** The first loaded recogniser of each known kind. */
export type Recognisers = {
  readonly [Kind in Recogniser['kind']]: Extract<Recogniser, { kind: Kind }> | undefined;
};

/** A loaded recogniser, and the name by which requests ask for it. */
export interface LoadedReader {
  readonly name: string;
  readonly recogniser: Recogniser | CustomRecogniser;
}

/** A plugin that is told of scans. */
export interface Follower {
  /** Its entry. */
  readonly plugin: string;
  readonly follow: NonNullable<Contributions['follow']>;
}

/** A plugin that tells its health. */
export interface HealthSource {
  /** Its entry. */
  readonly plugin: string;
  /** Its own. */
  readonly drivers: readonly Driver[];
  readonly health: NonNullable<Contributions['health']>;
}

/** A contribution of a plugin that is not licensed. */
export interface Withheld extends ProvidedName {
  /** There was a licence. */
  readonly hasEnded: boolean;
}

/** What is loaded. It may change between two calls; `hold` is for who needs it to stay as it is. */
export interface Registry extends Recognisers {
  readonly drivers: readonly Driver[];
  readonly formats: readonly Format[];
  /** In configuration order, which is the order in which they process a page. */
  readonly processors: readonly (Processor | CustomProcessor)[];
  readonly documents: readonly DocumentFormat[];
  /** Every loaded recogniser, in configuration order. */
  readonly readers: readonly LoadedReader[];
  /** @returns a clause for web pages about what is installed and not licensed; undefined if it is neither */
  whyNot(kind: ProvidedName['kind'], name: string): string | undefined;
  /** Those who are told of scans. */
  readonly followers: readonly Follower[];
  /** Those who tell their health. */
  readonly healthSources: readonly HealthSource[];
  /** What is installed and not licensed. */
  readonly withheld: readonly Withheld[];
  /** What is loaded now: it stays as it is, and none of it is closed, until `end` is called. */
  hold(): { readonly software: Registry; end(): void };
}

/** The contributions of one load of the plugins, which are added one by one and closed together. */
export interface ContributionSet extends Registry {
  /** What of a plugin can be used beside the loaded ones; adds nothing. */
  admit(plugin: { readonly use: string; readonly name: string }, contributions: Contributions): Admitted;
  /** @param plugin its entry, and its name unless they are the same. @throws TypeError for what `admit` does not accept */
  add(plugin: string, contributions: Contributions, name?: string): void;
  /** @param why it is not loaded, as a clause for web pages: `its licence ended on 2026-01-31` */
  withhold(provides: readonly ProvidedName[], why: string, hasEnded: boolean): void;
  /** Closes drivers, then plugins, the last one first; a failure does not prevent the others from closing. */
  close(): Promise<void>;
}

export function createRegistry(): ContributionSet {
  const drivers: Driver[] = [];
  const formats: Format[] = [];
  const processors: (Processor | CustomProcessor)[] = [];
  const documents: DocumentFormat[] = [];
  const readers: LoadedReader[] = [];
  const followers: Follower[] = [];
  const healthSources: HealthSource[] = [];
  const loaded: Contributions[] = [];
  const owners = new Map<string, string>();
  const withheld = new Map<string, Withheld & { readonly why: string }>();
  const keyOf = (kind: string, name: string): string => `${kind} ${name.toLowerCase()}`;
  const first = <Kind extends Recogniser['kind']>(kind: Kind): Recognisers[Kind] =>
    readers.find(({ recogniser }) => recogniser.kind === kind)?.recogniser as Recognisers[Kind];

  const registry: ContributionSet = {
    drivers,
    formats,
    processors,
    documents,
    readers,
    followers,
    healthSources,
    get barcode() {
      return first('barcode');
    },
    get ocr() {
      return first('ocr');
    },
    get blank() {
      return first('blank');
    },
    get patch() {
      return first('patch');
    },
    admit: (plugin, contributions) => admit(plugin, contributions, owners),
    add(plugin, contributions, name = plugin) {
      const { unused, words } = admit({ use: plugin, name }, contributions, owners);
      if (unused[0]) throw new TypeError(unused[0].sentence);
      for (const word of words) owners.set(word, plugin);
      drivers.push(...(contributions.drivers ?? []));
      formats.push(...(contributions.formats ?? []));
      processors.push(...(contributions.processors ?? []));
      for (const recogniser of contributions.recognisers ?? [])
        readers.push({ name: readerName(recogniser, name), recogniser });
      documents.push(...(contributions.documents ?? []));
      const { follow, health, drivers: own = [] } = contributions;
      if (follow) followers.push({ plugin, follow: event => follow.call(contributions, event) });
      if (health) healthSources.push({ plugin, drivers: own, health: call => health.call(contributions, call) });
      loaded.push(contributions);
    },
    withhold(provides, why, hasEnded) {
      for (const { kind, id } of provides)
        withheld.set(keyOf(kind, id), { kind, id, hasEnded, why: `${id} is installed but not licensed: ${why}` });
    },
    whyNot: (kind, name) => withheld.get(keyOf(kind, name))?.why,
    get withheld() {
      return [...withheld.values()];
    },
    hold: () => ({ software: registry, end: () => undefined }),
    close: () => closeContributions(loaded.splice(0)),
  };
  return registry;
}

/** A registry whose content is replaced while it is used. */
export interface LiveRegistry extends Registry {
  /** @returns resolves when all who held it before have ended: what only the one before has may be closed then */
  replace(next: Registry): Promise<void>;
}

export function createLiveRegistry(first: Registry): LiveRegistry {
  let now = first;
  const holds = new Set<Promise<void>>();
  return {
    get drivers() {
      return now.drivers;
    },
    get formats() {
      return now.formats;
    },
    get processors() {
      return now.processors;
    },
    get documents() {
      return now.documents;
    },
    get readers() {
      return now.readers;
    },
    get barcode() {
      return now.barcode;
    },
    get ocr() {
      return now.ocr;
    },
    get blank() {
      return now.blank;
    },
    get patch() {
      return now.patch;
    },
    get followers() {
      return now.followers;
    },
    get healthSources() {
      return now.healthSources;
    },
    whyNot: (kind, name) => now.whyNot(kind, name),
    get withheld() {
      return now.withheld;
    },
    hold() {
      const { promise, resolve } = deferred<void>();
      holds.add(promise);
      void promise.then(() => holds.delete(promise));
      return { software: now, end: resolve };
    },
    async replace(next) {
      now = next;
      await Promise.all(holds);
    },
  };
}

/** Milliseconds to wait for a close before going on. */
const CLOSE_MS = 10_000;

/** Closes drivers, then plugins, the last one first; a close that fails or hangs does not stop the rest. */
export async function closeContributions(loaded: readonly Contributions[], closeMs = CLOSE_MS): Promise<void> {
  const backwards = [...loaded].reverse();
  const closing = [
    ...backwards.flatMap(({ drivers }) => (Array.isArray(drivers) ? [...drivers].reverse() : [])),
    ...backwards,
  ];
  for (const each of closing) {
    try {
      await settledWithin(Promise.resolve(each.close?.()), closeMs);
    } catch {
      // The plugin is unused from here on either way.
    }
  }
}
