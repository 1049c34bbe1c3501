/**
 * Loads the plugins that the configuration lists.
 *
 * resolve → file owners → import → shape → api → platform → entitlement → options → setup → contributions. A plugin that
 * fails at a step is left out, with one sentence that contains the fix; the others run. A contribution that clashes, or that
 * nothing could call, is left out alone. Vendors' packages take the same steps
 * as ours. An isolated plugin takes them in its own process.
 */
import { isAbsolute, resolve } from 'node:path';
import { checkedDriver } from '../checks/checkedDriver.js';
import { plainWordsOf } from '../contract/errors.js';
import { pluginApi, type Contributions, type Log, type Plugin, type ProvidedName } from '../contract/plugin.js';
import { systemClock, type Clock } from '../time/clock.js';
import { settledWithin } from '../time/wait.js';
import { contributed } from './admit.js';
import { withDeadlines } from './deadline.js';
import { entitlementOf, LicenceError, licenceWarning, type Entitle, type Entitlement } from './entitlement.js';
import { LeftOut, refused, type LeftOutState, type PluginEntry, type PluginReport } from './entry.js';
import type { Isolate } from './isolation.js';
import { freshUrl, stampOf } from './freshImport.js';
import { closeContributions, createRegistry, type ContributionSet } from './registry.js';
import { resolvePlugin } from './resolve.js';
import { contributionsFault, isPlugin, optionsFault } from './validate.js';

/** A plugin whose import or setup takes longer is left out. */
export const LOAD_DEADLINE_MS = 30_000;

export interface LoadSettings {
  readonly entries: readonly PluginEntry[];
  /** Folders that are searched for packages: the configuration's, the plugins folder, the server's installation. */
  readonly folders: readonly string[];
  /** Called with a plugin's files before its code is imported into this process. */
  readonly importing?: (use: string, files: readonly string[]) => void;
  /** Called with the error for which a plugin is refused here, if there is one. Absent: the log gets its stack. */
  readonly failing?: (use: string, error: unknown) => void;
  readonly dataDir: string;
  log(plugin: string): Log;
  /** Absent: premium plugins are not loaded. */
  readonly entitle?: Entitle;
  /**
   * Called once with the files of all plugins loaded here. For each file: why its code must not run and what to do,
   * without a full stop; undefined if it may run.
   * Absent: code may run from anywhere.
   */
  readonly vet?: (files: readonly string[]) => Promise<readonly (string | undefined)[]>;
  /** Absent: isolated plugins are not loaded. */
  readonly isolate?: Isolate;
  readonly platform?: NodeJS.Platform;
  readonly clock?: Clock;
}

export interface Loaded {
  readonly registry: ContributionSet;
  readonly reports: readonly PluginReport[];
}

/** A plugin that is loaded, with what it takes to use it again in another set. */
export interface LoadedPlugin {
  readonly entry: PluginEntry;
  readonly report: PluginReport;
  /** As they were added. */
  readonly contributions: Contributions;
  /** Absent: it is isolated. */
  readonly code?: Code;
  /** Differs when its files were changed. */
  readonly stamp: string;
}

/** A plugin's code in this process. */
export interface Code {
  readonly plugin: Plugin;
  readonly version: string | undefined;
  readonly stamp: string;
}

const severity = { skipped: 'info', unlicensed: 'warn', refused: 'error' } as const satisfies Record<
  LeftOutState,
  keyof Log
>;

/** @throws Error with the sentence of a `required` plugin that could not be loaded */
export async function loadPlugins(settings: LoadSettings): Promise<Loaded> {
  const { registry, reports } = await loadAll(settings);
  return { registry, reports };
}

/** @throws as `loadPlugins` */
export async function loadAll(settings: LoadSettings): Promise<Loaded & { readonly plugins: readonly LoadedPlugin[] }> {
  const registry = createRegistry();
  const reports: PluginReport[] = [];
  const plugins: LoadedPlugin[] = [];
  const dangers = await dangersOf(settings);
  for (const entry of settings.entries) {
    const { report, loaded } = await loadEntry(entry, settings, registry, dangers);
    reports.push(report);
    if (loaded) plugins.push(loaded);
    const failed = report.state === 'refused' || report.state === 'unlicensed';
    if (failed && entry.required) {
      await registry.close();
      throw new Error(`${report.sentence} The configuration marks it as required.`);
    }
  }
  return { registry, reports, plugins };
}

const isMeantFor = ({ on }: PluginEntry, platform: NodeJS.Platform): boolean => !on || on.includes(platform);

/** By `use`: why the plugin's code must not run. An isolated plugin is checked in its own process. */
export async function dangersOf({
  entries,
  folders,
  vet,
  platform = process.platform,
}: LoadSettings): Promise<ReadonlyMap<string, string>> {
  if (!vet) return new Map();
  const uses = entries
    .filter(entry => entry.enabled && entry.isolate !== true && isMeantFor(entry, platform))
    .map(({ use }) => use);
  // An unresolved plugin is reported at its own turn.
  const found = await Promise.all(
    uses.map(async use => ({ use, files: (await resolvePlugin(use, folders).catch(() => undefined))?.files ?? [] })),
  );
  const asked = found.flatMap(({ use, files }) => files.map(file => ({ use, file })));
  const answers = await vet(asked.map(({ file }) => file));
  return new Map(asked.flatMap(({ use }, at) => (answers[at] === undefined ? [] : [[use, answers[at]] as const])));
}

/**
 * Adds what it loads to the set.
 * @param code the plugin's, if it is not to be imported
 */
export async function loadEntry(
  entry: PluginEntry,
  settings: LoadSettings,
  registry: ContributionSet,
  dangers: ReadonlyMap<string, string>,
  code?: Code,
): Promise<{ readonly report: PluginReport; readonly loaded?: LoadedPlugin }> {
  const { use } = entry;
  const log = settings.log(use);
  const platform = settings.platform ?? process.platform;
  if (!entry.enabled) {
    const sentence = `The plugin "${use}" is disabled in the configuration.`;
    return { report: { use, state: 'disabled', sentence, provides: [], ...(await declaredBy(use, settings)) } };
  }
  let described: Pick<PluginReport, 'optionsSchema'> = {};
  try {
    if (!isMeantFor(entry, platform))
      throw new LeftOut(
        'skipped',
        `The configuration enables the plugin "${use}" on ${entry.on?.join(', ')} only, and this is ${platform}.`,
      );
    const danger = dangers.get(use);
    if (danger !== undefined) throw refused('access', `The plugin "${use}" is not loaded: ${danger}.`);
    if (entry.isolate === true) return await loadIsolated(entry, settings, registry, log);
    const its = code ?? (await importPlugin(use, settings));
    const { plugin, version } = its;
    described = plugin.optionsSchema === undefined ? {} : { optionsSchema: plugin.optionsSchema };
    if (plugin.platforms && !plugin.platforms.includes(platform)) {
      throw new LeftOut(
        'skipped',
        `The plugin "${use}" runs on ${plugin.platforms.join(', ')} only, and this is ${platform}.`,
      );
    }
    const entitlement = await entitled(use, plugin, entry, settings, log, registry);
    const idleLicence =
      entry.licence === undefined || plugin.premium
        ? undefined
        : `The licence of the plugin "${use}" is ignored: the plugin is not premium. Remove "licence" from its entry.`;
    if (idleLicence !== undefined) log.warn(idleLicence);
    const contributions = await setUp(use, plugin, entry, settings, log);
    const limited = withDeadlines(contributions, settings.clock ?? systemClock);
    const { added, ...used } = await register({ use, name: plugin.name }, limited, registry, log);
    const { lacks } = contributions;
    if (lacks !== undefined) log.warn(lacks);
    const report: PluginReport = {
      use,
      state: 'loaded',
      ...used,
      ...(lacks === undefined ? {} : { lacks }),
      ...(idleLicence === undefined ? {} : { idleLicence }),
      ...(version === undefined ? {} : { version }),
      ...(entitlement ? { entitlement } : {}),
      ...described,
      ...(contributions.find ? { finds: true } : {}),
    };
    return { report, loaded: { entry, report, contributions: added, code: its, stamp: its.stamp } };
  } catch (error) {
    const state = error instanceof LeftOut ? error.state : 'refused';
    const sentence =
      error instanceof LeftOut
        ? error.message
        : `The plugin "${use}" could not be loaded (${plainWordsOf(error)}). Install it again, or ask its vendor.`;
    log[severity[state]](sentence);
    const fault = error instanceof LeftOut ? error.fault : undefined;
    // For the plugin's author: where it failed. An isolated plugin's own process logs that.
    if (state === 'refused' && fault !== 'isolation') {
      const cause = error instanceof LeftOut ? error.cause : error;
      if (settings.failing) settings.failing(use, cause);
      else logStack(cause, log);
    }
    const declares = await declaredBy(use, settings);
    return { report: { use, state, sentence, ...(fault ? { fault } : {}), provides: [], ...declares, ...described } };
  }
}

async function declaredBy(use: string, { folders }: LoadSettings): Promise<Pick<PluginReport, 'declares'>> {
  const { declares = [] } = (await resolvePlugin(use, folders).catch(() => undefined)) ?? {};
  return declares.length > 0 ? { declares } : {};
}

function logStack(cause: unknown, log: Log): void {
  const { stack } = (cause ?? {}) as { stack?: unknown };
  if (typeof stack === 'string') for (const line of stack.split('\n')) log.debug(line.trimEnd());
}

/**
 * From here on, everything its drivers deliver is checked.
 * @returns what is used of it, and what is not
 * @throws LeftOut if nothing is used of what it contributes
 */
async function register(
  plugin: { readonly use: string; readonly name: string },
  given: Contributions,
  registry: ContributionSet,
  log: Log,
): Promise<Pick<PluginReport, 'provides' | 'unused'> & { readonly added: Contributions }> {
  const { contributions, left, unused } = registry.admit(plugin, given);
  const provides = contributed(contributions);
  const [fault] = unused;
  if (fault && provides.length === 0) {
    await closeContributions([given]);
    throw refused(fault.fault, unused.map(({ sentence }) => sentence).join(' '));
  }
  for (const { sentence } of unused) log.warn(sentence);
  await closeContributions([left]);
  const { drivers, close } = contributions;
  const checked = drivers && { drivers: drivers.map(driver => checkedDriver(driver, log)) };
  const added = { ...contributions, ...checked, ...(close && { close: () => close.call(given) }) };
  registry.add(plugin.use, added, plugin.name);
  return { added, provides, ...(unused.length > 0 ? { unused } : {}) };
}

async function loadIsolated(
  entry: PluginEntry,
  { isolate, folders, dataDir }: LoadSettings,
  registry: ContributionSet,
  log: Log,
): Promise<{ readonly report: PluginReport; readonly loaded?: LoadedPlugin }> {
  const { use } = entry;
  if (!isolate)
    throw refused(
      'isolation',
      `The plugin "${use}" cannot be isolated here. Remove "isolate" from its entry in the configuration.`,
    );
  const { report, contributions } = await isolate(entry, { folders, dataDir, log }).catch((error: unknown) => {
    throw refused(
      'isolation',
      `The plugin "${use}" could not be loaded in its own process (${plainWordsOf(error)}). Install it again, or ask its vendor.`,
      error,
    );
  });
  if (!contributions) return { report };
  // Its process knows better what it provides: here, its drivers are one.
  const { provides: _, added, ...used } = await register({ use, name: use }, contributions, registry, log);
  // It cannot be asked there.
  const { finds: _finds, ...own } = report;
  const whole = { ...own, ...used };
  const resolved = await resolvePlugin(use, folders);
  const stamp = resolved ? await stampOf(resolved) : '';
  return { report: whole, loaded: { entry, report: whole, contributions: added, stamp } };
}

async function importPlugin(
  use: string,
  { folders, importing: note, clock = systemClock }: LoadSettings,
): Promise<Code> {
  const resolved = await resolvePlugin(use, folders);
  if (!resolved) {
    const path = use.startsWith('.') || isAbsolute(use) ? resolve(folders[0] ?? '.', use) : undefined;
    const why = path === undefined ? 'is not installed' : `is not there: there is no ${path}`;
    const repair = path === undefined ? `Run "platen plugins add ${use}"` : 'Correct its path';
    throw refused('not-installed', `The plugin "${use}" ${why}. ${repair}, or remove it from the configuration.`);
  }
  note?.(use, resolved.files);
  const stamp = await stampOf(resolved);
  const importing = import(freshUrl(resolved, stamp, use)) as Promise<{ default?: unknown }>;
  const module = await inTime(importing, clock).catch((error: unknown) => {
    throw refused(
      'import',
      `The plugin "${use}" could not be imported (${plainWordsOf(error)}). Install it again, or ask its vendor.`,
      error,
    );
  });
  if (!isPlugin(module.default)) {
    throw refused(
      'not-a-plugin',
      `The package "${use}" is not a Platen plugin: its default export must be the result of definePlugin.`,
    );
  }
  const plugin = module.default;
  if (plugin.api !== pluginApi) {
    throw refused(
      'api',
      `The plugin "${use}" requires plugin api ${String(plugin.api)}, and this is api ${pluginApi}. Install a version for api ${pluginApi}.`,
    );
  }
  return { plugin, version: resolved.version, stamp };
}

export async function entitled(
  use: string,
  plugin: Plugin,
  entry: PluginEntry,
  { entitle, clock = systemClock }: LoadSettings,
  log: Log,
  registry: ContributionSet,
): Promise<Entitlement | undefined> {
  try {
    const entitlement = await inTime(entitlementOf(plugin, entry.licence, entitle), clock);
    const warning = entitlement && licenceWarning(use, entitlement, clock);
    if (warning !== undefined) log.warn(warning);
    return entitlement;
  } catch (error) {
    const { forPages, hasEnded } = error instanceof LicenceError ? error : new LicenceError('');
    registry.withhold(providedNames(plugin), forPages, hasEnded);
    const repair = 'Ask its vendor for a licence, and put the file into the folder licences beside the configuration';
    throw new LeftOut(
      'unlicensed',
      `The plugin "${use}" is premium and not licensed (${plainWordsOf(error)}). ${repair}.`,
      { cause: error },
    );
  }
}

/** A JavaScript plugin may have any value there. */
function providedNames({ premium }: Plugin): readonly ProvidedName[] {
  const provides: unknown = (premium as { provides?: unknown } | null | undefined)?.provides;
  if (!Array.isArray(provides)) return [];
  return provides.filter(
    (each: Partial<ProvidedName> | null): each is ProvidedName =>
      typeof each?.kind === 'string' && typeof each.id === 'string' && /^[\w.-]{1,50}$/.test(each.id),
  );
}

async function setUp(
  use: string,
  plugin: Plugin,
  entry: PluginEntry,
  { clock = systemClock, dataDir, folders }: LoadSettings,
  log: Log,
): Promise<Contributions> {
  const options = structuredClone(entry.options ?? {});
  const fault = optionsFault(plugin.optionsSchema, options);
  if (fault !== undefined)
    throw refused('options', `The plugin "${use}" has invalid options: ${fault} Correct them in the configuration.`);
  const settingUp = (async () => plugin.setup({ options, log, dataDir, packageFolders: folders }))();
  let repair = plugin.optionsSchema === undefined ? 'Ask its vendor' : 'Correct its options, or ask its vendor';
  try {
    const contributions = await inTime(settingUp, clock);
    const wrong = contributionsFault(contributions);
    if (wrong !== undefined) {
      repair = 'Ask its vendor';
      throw new Error(wrong);
    }
    return contributions;
  } catch (error) {
    // Resources that the setup made, or still makes, are closed as far as possible.
    void settingUp.then(late => closeContributions([late])).catch(() => undefined);
    throw refused('setup', `The plugin "${use}" could not be set up (${plainWordsOf(error)}). ${repair}.`, error);
  }
}

/** A load step of the plugin, awaited no longer than the deadline. */
async function inTime<T>(doing: Promise<T>, clock: Clock): Promise<T> {
  if (!(await settledWithin(doing, LOAD_DEADLINE_MS, clock)))
    throw new Error(`it took longer than ${LOAD_DEADLINE_MS / 1000} seconds`);
  return doing;
}
