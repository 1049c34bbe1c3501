/** All contributions of the loaded plugins, without duplicates. */
import type { DocumentFormat } from '../contract/document.js';
import type { Driver } from '../contract/driver.js';
import type { Format } from '../contract/format.js';
import type { Contributions } from '../contract/plugin.js';
import type { Processor } from '../contract/processor.js';
import type { Recogniser } from '../contract/recogniser.js';
import { settledWithin } from '../time/wait.js';

/** The loaded recogniser of each kind, by its name. */
export type Recognisers = {
  readonly [Kind in Recogniser['kind']]: Extract<Recogniser, { kind: Kind }> | undefined;
};

export interface Registry extends Recognisers {
  readonly drivers: readonly Driver[];
  readonly formats: readonly Format[];
  /** In configuration order, which is the order in which they process a page. */
  readonly processors: readonly Processor[];
  readonly documents: readonly DocumentFormat[];
  /** @returns the contribution that another plugin already has: `the format Png, which "@acme/png" already adds` */
  clash(contributions: Contributions): string | undefined;
  add(plugin: string, contributions: Contributions): void;
  /** Closes drivers, then plugins, the last one first; a failure does not prevent the others from closing. */
  close(): Promise<void>;
}

export function createRegistry(): Registry {
  const drivers: Driver[] = [];
  const formats: Format[] = [];
  const processors: Processor[] = [];
  const documents: DocumentFormat[] = [];
  const recognisers: Recogniser[] = [];
  const loaded: Contributions[] = [];
  const owners = new Map<string, string>();

  return {
    drivers,
    formats,
    processors,
    documents,
    get barcode() {
      return recognisers.find(each => each.kind === 'barcode');
    },
    get ocr() {
      return recognisers.find(each => each.kind === 'ocr');
    },
    get blank() {
      return recognisers.find(each => each.kind === 'blank');
    },
    get patch() {
      return recognisers.find(each => each.kind === 'patch');
    },
    clash(contributions) {
      const seen = new Set<string>();
      for (const word of words(contributions)) {
        if (seen.has(word)) return `${word} twice`;
        seen.add(word);
        const owner = owners.get(word);
        if (owner !== undefined) return `${word}, which "${owner}" already adds`;
      }
      return undefined;
    },
    add(plugin, contributions) {
      for (const word of words(contributions)) owners.set(word, plugin);
      drivers.push(...(contributions.drivers ?? []));
      formats.push(...(contributions.formats ?? []));
      processors.push(...(contributions.processors ?? []));
      recognisers.push(...(contributions.recognisers ?? []));
      documents.push(...(contributions.documents ?? []));
      loaded.push(contributions);
    },
    close: () => closeContributions(loaded.splice(0)),
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

/** Names of contributions that may exist only once. */
function* words(contributions: Contributions): Generator<string> {
  for (const driver of contributions.drivers ?? []) yield `the driver ${driver.id}`;
  for (const format of contributions.formats ?? []) yield `the format ${format.name}`;
  for (const recogniser of contributions.recognisers ?? []) yield `a recogniser of the kind ${recogniser.kind}`;
  for (const processor of contributions.processors ?? []) yield `a processor for ${processor.adjustment}`;
  for (const { name, extension, aliases = [] } of contributions.documents ?? [])
    for (const each of new Set([name, extension, ...aliases].map(word => word.toLowerCase())))
      yield `the document format ${each}`;
}
