/** The plugins of a service: loaded when it starts, and changed while it runs. */
import type { Driver } from '../contract/driver.js';
import type { Found } from '../contract/find.js';
import { contributed } from './admit.js';
import { systemClock } from '../time/clock.js';
import { endOf, entitlementOf } from './entitlement.js';
import { LeftOut, type PluginEntry, type PluginReport } from './entry.js';
import { foundBy } from './find.js';
import { stampOf } from './freshImport.js';
import { dangersOf, entitled, loadAll, loadEntry, type LoadedPlugin, type LoadSettings } from './load.js';
import {
  closeContributions,
  createLiveRegistry,
  createRegistry,
  type ContributionSet,
  type LiveRegistry,
} from './registry.js';
import { resolvePlugin } from './resolve.js';

/**
 * Changes drivers while none of the leaving ones is used (`ScanService.changeDrivers`).
 * @param change closes the leaving ones, and returns all that there are then
 */
export type Around = (leaving: readonly Driver[], change: () => Promise<readonly Driver[]>) => Promise<void>;

export interface Plugins {
  readonly registry: LiveRegistry;
  /** As of the last change, in configuration order. */
  readonly reports: readonly PluginReport[];
  /**
   * From now on, those of these entries. What is as it was goes on untouched. A plugin that was loaded and is refused now
   * goes on as it was, and its report says why. Changes are made one after another.
   */
  change(entries: readonly PluginEntry[], around: Around): Promise<void>;
  /**
   * What a loaded plugin finds for its options.
   * @throws Error with a sentence, if it fails, takes longer than 20 s, or answers with something else
   */
  find(use: string, gone: AbortSignal): Promise<readonly Found[]>;
  /** Closes all. */
  close(): Promise<void>;
}

/** @throws Error with the sentence of a `required` plugin that could not be loaded */
export async function openPlugins(settings: LoadSettings): Promise<Plugins> {
  const first = await loadAll(settings);
  let { reports, plugins } = first;
  let lastEntries = settings.entries;
  const registry = createLiveRegistry(first.registry);
  /** What no new scan has any more, and scans that began before still use. */
  const retiring = new Set<Promise<void>>();
  let last: Promise<unknown> = Promise.resolve();

  async function change(entries: readonly PluginEntry[], around: Around): Promise<void> {
    const isUnchanged = await Promise.all(plugins.map(each => isAsItWas(each, entries, settings)));
    const kept = plugins.filter((_, at) => isUnchanged[at]);
    const leaving = plugins.filter((_, at) => !isUnchanged[at]);
    const own = { ...settings, entries };
    const dangers = await dangersOf(own);
    const atOnce = leaving.filter(({ contributions }) => (contributions.drivers ?? []).length > 0);
    const drivers = atOnce.flatMap(({ contributions }) => contributions.drivers ?? []);
    await around(drivers, async () => {
      await closeContributions(atOnce.map(({ contributions }) => contributions));
      const next = createRegistry();
      const [nextReports, nextPlugins]: [PluginReport[], LoadedPlugin[]] = [[], []];
      const staying = new Set<LoadedPlugin>();
      const add = ({ report, loaded }: Awaited<ReturnType<typeof loadEntry>>): void => {
        nextReports.push(report);
        if (loaded) nextPlugins.push(loaded);
      };
      for (const entry of entries) {
        const same = kept.find(each => each.entry.use === entry.use);
        const again = same && (await readded(same, next, own));
        if (again) {
          staying.add(same);
          add({ report: again.report, loaded: again });
          continue;
        }
        const was = reports.find(({ use }) => use === entry.use);
        if (was?.state === 'skipped' && isSameEntry(entry, lastEntries)) {
          nextReports.push(was);
          continue;
        }
        const loaded = await loadEntry(entry, own, next, dangers);
        const before = plugins.find(each => each.entry.use === entry.use && !staying.has(each));
        if (loaded.report.state !== 'refused' || !before) {
          add(loaded);
          continue;
        }
        // What was loaded goes on; a driver was closed, and is opened again.
        const isClosed = atOnce.includes(before);
        const old = isClosed
          ? await loadEntry(before.entry, own, next, new Map(), before.code)
          : { report: before.report, loaded: await readded(before, next, own) };
        if (!isClosed) staying.add(before);
        const { sentence = '' } = loaded.report;
        const report = { ...old.report, ...(old.loaded ? { stale: `${sentence} The one before goes on.` } : {}) };
        add({ report, ...(old.loaded ? { loaded: { ...old.loaded, report } } : {}) });
      }
      const gone = [...kept, ...leaving].filter(each => !staying.has(each) && !atOnce.includes(each));
      retire(registry.replace(next), gone);
      [reports, plugins, lastEntries] = [nextReports, nextPlugins, entries];
      return next.drivers;
    });
  }

  function retire(unused: Promise<void>, gone: readonly LoadedPlugin[]): void {
    const closing = unused
      .then(() => closeContributions(gone.map(({ contributions }) => contributions)))
      .finally(() => retiring.delete(closing));
    retiring.add(closing);
  }

  return {
    registry,
    get reports() {
      return reports;
    },
    change(entries, around) {
      const changing = last.then(() => change(entries, around));
      last = changing.catch(() => undefined);
      return changing;
    },
    find(use, gone) {
      const source = plugins.find(each => each.entry.use === use)?.contributions;
      return foundBy(source, gone, settings.clock);
    },
    async close() {
      await last;
      await closeContributions(plugins.map(({ contributions }) => contributions));
      await Promise.all(retiring);
    },
  };
}

/** Whether its entry and its files are the same, and all of it is used. */
async function isAsItWas(
  { entry, report, stamp, code }: LoadedPlugin,
  entries: readonly PluginEntry[],
  { folders, entitle, clock = systemClock }: LoadSettings,
): Promise<boolean> {
  if (!isSameEntry(entry, entries)) return false;
  if (report.stale !== undefined || report.unused?.some(({ fault }) => fault === 'clash')) return false;
  // Of an isolated one, only its own process can check the licence, when it is loaded.
  const isEntitled = code
    ? await entitlementOf(code.plugin, entry.licence, entitle).then(yes, no)
    : report.entitlement === undefined || endOf(report.entitlement).getTime() > clock.now();
  if (!isEntitled) return false;
  const resolved = await resolvePlugin(entry.use, folders).catch(() => undefined);
  return resolved !== undefined && (await stampOf(resolved)) === stamp;
}

const [yes, no] = [() => true, () => false];

/** Whether the list has the entry, once, as it is. */
function isSameEntry(entry: PluginEntry, entries: readonly PluginEntry[]): boolean {
  const [same, ...more] = entries.filter(({ use }) => use === entry.use);
  return more.length === 0 && JSON.stringify(sorted(same)) === JSON.stringify(sorted(entry));
}

/** Its keys in one order, whatever the files' is. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/**
 * Adds a plugin that is loaded already.
 * @returns undefined if its licence has ended meanwhile
 */
async function readded(
  loaded: LoadedPlugin,
  next: ContributionSet,
  settings: LoadSettings,
): Promise<LoadedPlugin | undefined> {
  const { entry, contributions, code } = loaded;
  const { use } = entry;
  const { entitlement: before, ...report } = loaded.report;
  try {
    const entitlement = code ? await entitled(use, code.plugin, entry, settings, settings.log(use), next) : before;
    const name = code?.plugin.name ?? use;
    const admitted = next.admit({ use, name }, contributions);
    next.add(use, admitted.contributions, name);
    const unused = [...(report.unused ?? []), ...admitted.unused];
    return {
      ...loaded,
      report: {
        ...report,
        ...(admitted.unused.length > 0 ? { provides: contributed(admitted.contributions), unused } : {}),
        ...(entitlement ? { entitlement } : {}),
      },
    };
  } catch (error) {
    if (error instanceof LeftOut) return undefined;
    throw error;
  }
}
