/** Takes over a changed configuration while the service runs: its plugins and profiles. The rest waits for a restart. */
import type { Log, PluginReport, Plugins, Registry, ScanService } from '@platen/core';
import type { Located } from '../machine/config/read.js';
import type { Config } from '../machine/config/schema.js';
import { checkedProfiles, usableProfiles, type Profiles } from './parameters/profiles.js';

/** What a reload did. */
export interface Reloaded {
  /** One sentence each: `@platen/ocr was switched off.` */
  readonly changes: readonly string[];
  /** One sentence each: what could not be taken over, and what to do. */
  readonly faults: readonly string[];
}

export interface ReloadParts {
  readonly plugins: Pick<Plugins, 'change' | 'reports'>;
  readonly scans: Pick<ScanService, 'changeDrivers'>;
  readonly registry: Registry;
  /** Of the service; their content is replaced. */
  readonly profiles: Profiles;
  readonly log: Log;
}

/** @param first what the service started with */
export function createReload(
  { plugins, scans, registry, profiles, log }: ReloadParts,
  first: Config,
): (config: Config & Located) => Promise<Reloaded> {
  let before: Config = first;
  return async config => {
    const faults: string[] = [];
    const nextProfiles = checkedProfiles(config.profiles, config);
    const waiting = settled.filter(key => JSON.stringify(config[key]) !== JSON.stringify(first[key]));
    if (waiting.length > 0)
      faults.push(
        `What was changed in ${waiting.join(', ')} counts from the next start: run "platen service restart".`,
      );
    const old = plugins.reports;
    await plugins.change(config.plugins, scans.changeDrivers);
    const changes = changesOf(old, plugins.reports, before, config);
    for (const { stale } of plugins.reports) if (stale !== undefined) faults.push(stale);
    const usable = usableProfiles(nextProfiles, config, registry, fault => void faults.push(fault));
    if (replaceContent(profiles, usable)) changes.push('The profiles were changed.');
    before = config;
    for (const each of changes) log.info(each);
    for (const each of faults) log.warn(each);
    return { changes, faults };
  };
}

/** Keys that count from the next start. */
const settled = [
  'listen',
  'scan',
  'source',
  'autoscan',
  'scans',
  'clients',
  'memory',
  'security',
  'events',
  'metrics',
  'log',
] as const satisfies readonly (keyof Config)[];

const became: Readonly<Record<PluginReport['state'], string>> = {
  loaded: 'was loaded',
  disabled: 'was switched off',
  skipped: 'is not for this system',
  unlicensed: 'is off, because it is not licensed',
  refused: 'was refused',
};

function changesOf(
  old: readonly PluginReport[],
  now: readonly PluginReport[],
  before: Config,
  after: Config,
): string[] {
  const changes: string[] = [];
  const optionsOf = ({ plugins }: Config, use: string): string =>
    JSON.stringify(plugins.find(each => each.use === use) ?? null);
  for (const report of now) {
    const { use, state, version, stale } = report;
    const was = old.find(each => each.use === use);
    if (was?.state !== state) {
      if (was || state !== 'disabled')
        changes.push(`${use} ${was ? became[state] : `was added: it ${became[state]}`}.`);
    } else if (state === 'loaded' && stale === undefined) {
      if (was.version !== version) changes.push(`${use} was updated from ${was.version} to ${version}.`);
      else if (optionsOf(before, use) !== optionsOf(after, use)) changes.push(`${use} was loaded with its new entry.`);
    }
  }
  for (const { use } of old) if (!now.some(each => each.use === use)) changes.push(`${use} was removed.`);
  return changes;
}

/** @returns whether it differs */
function replaceContent(profiles: Profiles, next: Profiles): boolean {
  if (JSON.stringify(profiles) === JSON.stringify(next)) return false;
  const content = profiles as Record<string, unknown>;
  for (const name of Object.keys(content)) Reflect.deleteProperty(content, name);
  Object.assign(content, next);
  return true;
}
