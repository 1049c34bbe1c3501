/** What a person wants to change in the settings of plugins: as the file that would hold it, checked as the service would. */
import { messageOf, optionsFault, type PluginReport } from '@platen/core';
import { fixedPlace, type FixedPlace } from '../../machine/config/fixed.js';
import { ownEntries, ownFile, ownName, ownText, readOwn, type OwnEntry } from '../../machine/config/ownFile.js';
import { placeOf, readConfig, type Read } from '../../machine/config/read.js';
import type { Config } from '../../machine/config/schema.js';
import { HttpError } from '../http/errors.js';
import { hasSecret, withHidden, withoutMarks } from './secrets.js';

/** Of one plugin. */
export interface Change {
  readonly use: string;
  readonly enabled?: boolean;
  /** New values, by the options' names. A mark of `secrets.ts` is what holds. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Options that become what the other files have, or the default. */
  readonly unset?: readonly string[];
}

/** One value that becomes another one. */
export interface Difference {
  readonly use: string;
  /** An option's name; absent: whether the plugin is on. */
  readonly option?: string;
  /** Absent: the default. Secrets are hidden. */
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Why it cannot be so. */
export interface Problem {
  readonly use: string;
  readonly sentence: string;
}

export interface Proposal {
  readonly file: string;
  readonly text: string;
  readonly isSecret: boolean;
  readonly differences: readonly Difference[];
  readonly problems: readonly Problem[];
}

export interface ProposalParts {
  readonly configFile: string;
  readonly dataDir: string;
  /** Of the loaded plugins: they have the schemas. */
  readonly reports: readonly PluginReport[];
  /** A test passes another. */
  readonly place?: FixedPlace;
}

type Entry = Config['plugins'][number];
type Json = Readonly<Record<string, unknown>>;

/** @throws HttpError `bad-request`, or {ConfigError} for a configuration that is not valid as it is */
export async function propose(changes: readonly Change[], parts: ProposalParts): Promise<Proposal> {
  const { configFile, dataDir, reports, place = fixedPlace } = parts;
  const file = ownFile(configFile, dataDir);
  const own = new Map(ownEntries(await readOwn(file), file));
  const before = await readConfig(configFile, dataDir, place);
  const schemaOf = (use: string): object | undefined => reports.find(each => each.use === use)?.optionsSchema;
  for (const change of changes) {
    const entry = before.plugins.find(({ use }) => use === change.use);
    if (!entry) throw new HttpError('bad-request', `The configuration has no plugin ${JSON.stringify(change.use)}.`);
    assertFree(change, before);
    const name = ownName(change.use, configFile);
    own.set(name, changed(own.get(name) ?? {}, change, entry.options ?? {}, schemaOf(change.use)));
  }
  const text = ownText(own);
  const names = new Map(before.plugins.map(({ use }) => [ownName(use, configFile), use]));
  const isSecret = [...own].some(([name, { options = {} }]) => mayBeSecret(options, schemaOf(names.get(name) ?? '')));
  const problems: Problem[] = [];
  const after = await readConfig(configFile, dataDir, place, { file, text }).catch((error: unknown) => {
    problems.push({ use: changes[0]?.use ?? '', sentence: messageOf(error) });
  });
  if (!after) return { file, text, isSecret, differences: [], problems };
  const differences: Difference[] = [];
  for (const change of changes) {
    const entry = after.plugins.find(({ use }) => use === change.use);
    const was = before.plugins.find(({ use }) => use === change.use);
    if (!entry || !was) continue;
    differences.push(...differencesOf(was, entry, schemaOf(change.use)));
    const fault = entry.enabled && schemaOf(change.use) && optionsFault(schemaOf(change.use), optionsOf(entry));
    const hidden = hiddenBy(change, after, file);
    if (typeof fault === 'string') problems.push({ use: change.use, sentence: fault });
    if (hidden !== undefined) problems.push({ use: change.use, sentence: hidden });
  }
  return { file, text, isSecret, differences, problems };
}

/** Without the schema, nobody knows. */
const mayBeSecret = (options: Json, schema: object | undefined): boolean =>
  Object.keys(options).length > 0 && (schema === undefined || hasSecret(options, schema));

const optionsOf = ({ options }: Entry): Record<string, unknown> => structuredClone(options ?? {});

/** What a policy has fixed, no person changes. @throws HttpError `bad-request` */
function assertFree({ use, enabled, options = {}, unset = [] }: Change, config: Read<Config>): void {
  const at = config.plugins.findIndex(each => each.use === use);
  const keys = [...(enabled === undefined ? [] : [['enabled']]), ...optionPaths(options, unset)];
  for (const key of keys)
    if (config.sourceOf(['plugins', at, ...key], true)?.isFixed)
      throw new HttpError(
        'bad-request',
        `A policy of this computer fixes ${key.at(-1)} of ${use}. Only it changes that.`,
      );
}

const optionPaths = (options: Json, unset: readonly string[]): readonly (readonly string[])[] =>
  [...Object.keys(options), ...unset].map(key => ['options', key]);

function changed(own: OwnEntry, change: Change, options: Json, schema: object | undefined): OwnEntry {
  const { enabled = own.enabled, options: wanted = {}, unset = [] } = change;
  if (schema === undefined && Object.keys(wanted).length > 0)
    throw new HttpError('bad-request', `The options of ${change.use} are known when it is on. Switch it on first.`);
  let given: unknown;
  try {
    given = withoutMarks(wanted, options, schema);
  } catch (error) {
    throw new HttpError('bad-request', `${change.use}: ${messageOf(error)}`);
  }
  const kept = Object.entries({ ...own.options, ...(given as Json) }).filter(([key]) => !unset.includes(key));
  return { ...(enabled === undefined ? {} : { enabled }), options: Object.fromEntries(kept) };
}

function differencesOf(before: Entry, after: Entry, schema: object | undefined): Difference[] {
  const { use } = after;
  const [old, next] = [before.options ?? {}, after.options ?? {}];
  const [was, becomes] = [withHidden(old, schema), withHidden(next, schema)];
  const options = [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter(key => JSON.stringify(old[key]) !== JSON.stringify(next[key]))
    .map(option => ({
      ...{ use, option },
      ...(option in old ? { before: was[option] } : {}),
      ...(option in next ? { after: becomes[option] } : {}),
    }));
  const isSwitched = before.enabled !== after.enabled;
  return [...(isSwitched ? [{ use, before: before.enabled, after: after.enabled }] : []), ...options];
}

/** A file after ours may say something else. */
function hiddenBy({ use, enabled, options = {} }: Change, after: Read<Config>, own: string): string | undefined {
  const at = after.plugins.findIndex(each => each.use === use);
  const keys = [...(enabled === undefined ? [] : [['enabled']]), ...optionPaths(options, [])];
  for (const key of keys) {
    const source = after.sourceOf(['plugins', at, ...key], true);
    if (source && source.file !== own) return `${placeOf(source)} has ${key.at(-1)}, and counts more. Change it there.`;
  }
  return undefined;
}
