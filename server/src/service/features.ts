/** What the loaded plugins let pages ask for, and why the rest of what is shipped is off; pages hear when it changes. */
import type { PluginReport, Plugins, Registry } from '@platen/core';
import { customProcessors, knownKinds, symbologyNames } from '@platen/core';

/** The plugins as of the last change. */
export interface LoadedNow {
  readonly registry: Registry;
  readonly reports: readonly PluginReport[];
  readonly find?: Plugins['find'];
}

/**
 * `switched-off`: by the configuration; `not-licensed`, `licence-ended`: it is premium; `not-for-this-system`: its plugin
 * runs elsewhere; `failed`: its plugin was refused, as "platen doctor" says; `not-installed`: no plugin has it.
 */
export const reasons = [
  'switched-off',
  'not-licensed',
  'licence-ended',
  'not-for-this-system',
  'failed',
  'not-installed',
] as const;
export type Reason = (typeof reasons)[number];

export interface Off {
  readonly kind: 'format' | 'recogniser' | 'document';
  readonly id: string;
  readonly why: Reason;
}

export interface FeatureList {
  /** Grows with each change, from 1 at the start of the service. */
  readonly revision: number;
  readonly barcodes: { readonly available: boolean; readonly symbologies: readonly string[] };
  readonly text: { readonly available: boolean; readonly languages: readonly string[] };
  /** Kinds of the loaded recognisers. */
  readonly recognisers: readonly string[];
  /** Names, as `process` takes them. */
  readonly processors: readonly string[];
  /** Names, as `imageFormat` takes them. */
  readonly formats: readonly string[];
  /** Extensions, as `format` takes them. */
  readonly documents: readonly string[];
  /** What is shipped, or of a premium plugin, and cannot be asked for. */
  readonly off: readonly Off[];
}

export interface Features {
  now(): FeatureList;
  /** The plugins may have changed: whoever waits is told if they did. */
  readonly changed: () => void;
  /** @returns the list when it is not that of this revision any more; undefined when the service ends, or who waits is gone */
  after(revision: number, gone: AbortSignal): Promise<FeatureList | undefined>;
  /** Whoever waits does not any more. */
  readonly end: () => void;
}

export function createFeatures(plugins: LoadedNow): Features {
  const waiting = new Set<() => void>();
  let revision = 1;
  const list = (): FeatureList => ({ revision, ...featuresOf(plugins) });
  let told = textOf(list());
  let isOver = false;
  const notify = (): void => {
    for (const wake of waiting) wake();
  };
  /** Pages come and go without a change for weeks: who is gone leaves nothing behind. */
  const wait = async (gone: AbortSignal): Promise<void> => {
    let wake = (): void => undefined;
    const woken = new Promise<void>(resolve => (wake = resolve));
    waiting.add(wake);
    gone.addEventListener('abort', wake);
    await woken;
    waiting.delete(wake);
    gone.removeEventListener('abort', wake);
  };
  return {
    now: list,
    changed() {
      const text = textOf(list());
      if (told === text) return;
      told = text;
      revision++;
      notify();
    },
    async after(seen, gone) {
      while (seen === revision && !isOver && !gone.aborted) await wait(gone);
      return isOver || gone.aborted ? undefined : list();
    },
    end() {
      isOver = true;
      notify();
    },
  };
}

const textOf = ({ revision: _, ...rest }: FeatureList): string => JSON.stringify(rest);

/** What the interface names: a page can ask for it on every computer. */
const named: readonly Omit<Off, 'why'>[] = [
  ...knownKinds.map(id => ({ kind: 'recogniser' as const, id })),
  ...['Png', 'Jpeg', 'Tiff', 'Bmp'].map(id => ({ kind: 'format' as const, id })),
  { kind: 'document', id: 'pdf' },
];

const reasonOf: Readonly<Record<PluginReport['state'], Reason>> = {
  disabled: 'switched-off',
  unlicensed: 'not-licensed',
  skipped: 'not-for-this-system',
  refused: 'failed',
  loaded: 'failed',
};

const isNamed = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

function featuresOf({ registry, reports }: LoadedNow): Omit<FeatureList, 'revision'> {
  const { barcode, ocr, readers, processors, formats, documents, withheld } = registry;
  const recognisers = [...new Set(readers.map(({ recogniser }) => recogniser.kind))];
  const loaded: Readonly<Record<Off['kind'], readonly string[]>> = {
    recogniser: recognisers,
    format: formats.map(({ name }) => name),
    document: documents.map(({ extension }) => extension),
  };
  const isOff = ({ kind, id }: { readonly kind: string; readonly id: string }): boolean =>
    kind in loaded && !loaded[kind as Off['kind']].some(each => isNamed(each, id));
  const unlicensed = withheld.map(({ kind, id, hasEnded }): Off => {
    return { kind: kind as Off['kind'], id, why: hasEnded ? 'licence-ended' : 'not-licensed' };
  });
  const declared = reports.flatMap(({ state, declares = [] }) =>
    declares.map(({ kind, id }): Off => ({ kind: kind as Off['kind'], id, why: reasonOf[state] })),
  );
  const missing = named.map((each): Off => ({ ...each, why: 'not-installed' }));
  const off = [...unlicensed, ...declared, ...missing].filter(isOff);
  return {
    barcodes: { available: barcode !== undefined, symbologies: barcode ? symbologyNames(barcode) : [] },
    text: { available: ocr !== undefined, languages: ocr ? [...ocr.languages] : [] },
    recognisers,
    processors: customProcessors(processors).map(({ name }) => name),
    formats: loaded.format,
    documents: loaded.document,
    // The first one has the reason.
    off: off.filter(
      (each, at) => off.findIndex(other => other.kind === each.kind && isNamed(other.id, each.id)) === at,
    ),
  };
}
