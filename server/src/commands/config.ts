/** `platen config`: reads a configuration as the service would, and reports every fault, or what holds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  loadPlugins,
  nullLog,
  problemSentence,
  systemClock,
  type Contribution,
  type PluginEntry,
  type Registry,
} from '@platen/core';
import { ConfigError } from '../machine/configError.js';
import { gapsOf, gapsRemedy, gapsSentence } from '../machine/config/gaps.js';
import { platform } from '../machine/platform.js';
import type { Source } from '../machine/config/layers.js';
import { placeOf, readConfig, readHostConfig, type Located } from '../machine/config/read.js';
import type { Config } from '../machine/config/schema.js';
import { resolveSettings, type Settings } from '../machine/config/settings.js';
import { hostJson } from '../machine/config/shipped.js';
import { createEntitle, licenceFolders } from '../service/licences/licence.js';
import { machineId } from '../service/licences/machineId.js';
import { loadSettings } from '../service/loading.js';
import type { Io } from '../machine/io.js';
import { printable } from '../machine/printable.js';
import { checkedProfiles, checkProfileWords, type Profiles } from '../service/parameters/profiles.js';
import { exitCodes } from '../machine/exitCodes.js';
import { assertVerb, command } from './command.js';
import { fixingFormats, policyText } from './config/policy.js';
import { showConfig } from './config/show.js';
import { usage } from './parts/newFile.js';

const help = `platen config check [FILE] [--config FILE] [--port N] [--host] [--json]
platen config show [FILE] [--config FILE] [--host] [--json]
platen config policy FILE [--format json|registry|profile]

A configuration is what it extends, the file itself, and the files of conf.d beside it (of the desktop application:
host.d), in the order of their names.

check  reads the configuration as "platen serve" would, with the same flags and variables: the schema, who may write its
       files, and every plugin, which it loads with its options and licence; of a file with faults, whatever has none.
       Warns (!) of what pages count on and no plugin does. Changes nothing, and opens no scanner
show   prints what holds, and the file and line of each value; licences and passwords are left out
policy prints the keys of FILE as a company fixes them: for Windows' registry, as a profile of macOS, or as the JSON of
       /etc/platen/policy.json (the default). The templates for Windows' group policies are in config/policies

  --host   the desktop application's configuration, as "platen host" reads it
  --json   check: {ok, file, dataDir, pluginsDir, port, faults: [{path, code, message, accepts?, file?, line?}],
           warnings: [{path, message}]}; show: {file, files, configuration, values: [{key, value, file?, line?, isFixed?}]}

The exit code is 0 if there is no fault, 3 if there is one.`;

interface Fault {
  /** In the file: `plugins[0].options`; empty for the whole file or a setting. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
  /** The accepted values. */
  readonly accepts?: string;
  readonly file?: string;
  /** 1-based. */
  readonly line?: number | undefined;
}
type Warning = Pick<Fault, 'path' | 'message'>;

interface Checked {
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
  /** Undefined if the file could not be read. */
  readonly port?: number;
}

export const config = command(
  {
    help,
    exits: ['configuration'],
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      host: { type: 'boolean' },
      json: { type: 'boolean' },
      format: { type: 'string' },
    },
    allowPositionals: true,
  },
  async ({ values, positionals, io }): Promise<number | 'usage'> => {
    const [verb = '', file, ...rest] = positionals;
    assertVerb('config', verb, ['check', 'show', 'policy']);
    if (!/^(?:check|show|policy)$/.test(verb) || rest.length > 0) return 'usage';
    if (verb === 'policy') return policy(file, values.format, io);
    if (values.format !== undefined) throw usage('--format belongs to "platen config policy".');
    if (file !== undefined && values.config !== undefined)
      throw new ConfigError('Pass the file once: as FILE or with --config.', { code: 'usage' });
    const flags = { config: file ?? values.config, port: values.port };
    const resolved = (): Settings =>
      resolveSettings({ flags, env: io.env, cwd: io.cwd, ...(values.host ? { configFile: hostJson } : {}) });
    if (verb === 'show') {
      await showConfig(resolved(), io, { host: values.host === true, json: values.json === true });
      return exitCodes.ok;
    }
    let settings: Settings | undefined;
    let checked: Checked;
    try {
      settings = resolved();
      checked = await check(settings, values.host === true);
    } catch (error) {
      if (!(error instanceof ConfigError) || error.code === 'usage') throw error;
      checked = { faults: faultsOf(error), warnings: [] };
    }
    const { faults, warnings } = checked;
    const ok = faults.length === 0;
    if (values.json) {
      const { configFile, dataDir, pluginsDir } = settings ?? {};
      io.out(JSON.stringify({ ok, file: configFile, dataDir, pluginsDir, ...checked }, null, 2));
    } else {
      for (const { path, message, file: from, line } of faults)
        io.err(
          `✗ ${line === undefined || from === undefined ? '' : `${placeOf({ file: from, line })}: `}${lineOf(path, message)}`,
        );
      for (const { path, message } of warnings) io.err(`! ${lineOf(path, message)}`);
      if (ok) io.out(`✓ ${settings?.configFile}`);
    }
    return ok ? exitCodes.ok : exitCodes.configuration;
  },
);

async function policy(file: string | undefined, format = 'json', io: Io): Promise<number | 'usage'> {
  const known = fixingFormats.find(each => each === format);
  if (!known) throw usage(`--format takes ${fixingFormats.join(', ')}, not ${JSON.stringify(format)}.`);
  if (file === undefined) return 'usage';
  io.out(await policyText(resolve(io.cwd, file), known));
  return exitCodes.ok;
}

/** Looks at all that can be looked at. @throws {ConfigError} for a file that cannot be read */
async function check(settings: Settings, host: boolean): Promise<Checked> {
  const { value, faults } = await collected<Partial<Config>>(
    (host ? readHostConfig : readConfig)(settings.configFile, settings.dataDir),
  );
  const where: Located = { file: resolve(settings.configFile), ...(value as Partial<Located>) };
  const isFaulty = (path: string): boolean =>
    faults.some(fault => fault.path === path || fault.path.startsWith(`${path}.`) || fault.path.startsWith(`${path}[`));
  const entries = Array.isArray(value.plugins) ? (value.plugins as readonly PluginEntry[]) : [];
  const listed = entries.map((entry, at) => ({ entry, path: `plugins[${at}]` })).filter(({ path }) => !isFaulty(path));
  const profiles: Record<string, object> = {};
  const given: unknown = value.profiles;
  const named = typeof given === 'object' && given !== null && !Array.isArray(given) ? given : {};
  for (const [name, profile] of Object.entries(named)) {
    if (isFaulty(`profiles.${name}`)) continue;
    try {
      Object.assign(profiles, checkedProfiles({ [name]: profile }, where));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...faultsOf(error));
    }
  }
  const loaded = await load(listed, profiles, { ...settings, where });
  const all = [...faults, ...loaded.faults];
  // What a refused plugin would have provided is not left out.
  const gaps = host || all.some(({ path }) => path.startsWith('plugins')) ? [] : gapsOf(loaded.provides, platform);
  const missing =
    gaps.length === 0 ? [] : [{ path: 'plugins', message: `${gapsSentence(gaps)}. ${gapsRemedy(where.file)}` }];
  const port = host || isFaulty('listen') ? undefined : (settings.port ?? value.listen?.port);
  return { ...(port === undefined ? {} : { port }), faults: all, warnings: [...loaded.warnings, ...missing] };
}

/** What was read, also of a file that breaks its schema, and its faults. @throws {ConfigError} if nothing was read */
async function collected<Value extends object>(read: Promise<object>): Promise<{ value: Value; faults: Fault[] }> {
  try {
    return { value: (await read) as Value, faults: [] };
  } catch (error) {
    if (!(error instanceof ConfigError) || error.read === undefined) throw error;
    return { value: error.read as Value, faults: faultsOf(error) };
  }
}

interface Listed {
  readonly entry: PluginEntry;
  /** In the file. */
  readonly path: string;
}

/** Loads the plugins with a data folder of their own, so that nothing is left behind; profiles have words of theirs. */
async function load(
  listed: readonly Listed[],
  profiles: Profiles,
  { where, pluginsDir, dataDir }: Pick<Settings, 'pluginsDir' | 'dataDir'> & { readonly where: Located },
): Promise<Pick<Checked, 'faults' | 'warnings'> & { readonly provides: readonly Contribution[] }> {
  const warnings: Warning[] = [];
  const ownFolder = await mkdtemp(join(tmpdir(), 'platen-check-'));
  const pathOf = (use: string): string => listed.find(({ entry }) => entry.use === use)?.path ?? '';
  try {
    const warn = (message: string): void => void warnings.push({ path: '', message });
    const { registry, reports } = await loadPlugins({
      ...loadSettings({ config: where, pluginsDir, dataDir: ownFolder, warn }),
      entitle: createEntitle(dataDir, systemClock, machineId, licenceFolders(dirname(where.file), dataDir)),
      entries: listed.map(({ entry }) => ({ ...entry, required: false })),
      log: use => ({ ...nullLog, warn: message => void warnings.push({ path: pathOf(use), message }) }),
    });
    const profileFaults = wordFaults(profiles, where, registry);
    await registry.close();
    // In the order of the file, so a package that is listed twice keeps its own place.
    // Without a licence the service starts, and the loader warned.
    const faults = reports.flatMap(({ state, fault, sentence = '' }, at): Fault[] =>
      state === 'refused' || (state === 'unlicensed' && listed[at]?.entry.required === true)
        ? [
            {
              path: listed[at]?.path ?? '',
              code: fault ?? state,
              message: sentence,
              ...placed(where, listed[at]?.path),
            },
          ]
        : [],
    );
    const told = new Set(faults.map(({ message }) => message));
    return {
      faults: [...faults, ...profileFaults],
      warnings: warnings.filter(({ message }) => !told.has(message)),
      provides: reports.flatMap(({ provides }) => provides),
    };
  } finally {
    await rm(ownFolder, { recursive: true, force: true });
  }
}

/** Where an entry of the list of plugins is. */
function placed({ sourceOf }: Located, path = ''): Partial<Source> {
  const at = /\d+/.exec(path)?.[0];
  return at === undefined ? {} : { ...sourceOf?.(['plugins', Number(at)]) };
}

function wordFaults(profiles: Profiles, where: Located, registry: Registry): readonly Fault[] {
  try {
    checkProfileWords(profiles, where, registry);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return faultsOf(error);
  }
}

function faultsOf(error: ConfigError): Fault[] {
  if (error.problems.length === 0) return [{ path: '', code: 'configuration', message: error.message }];
  return error.problems.map(problem => ({
    path: problem.path,
    code: problem.code,
    message: problemSentence(problem, 'the file'),
    accepts: problem.accepts,
    file: problem.file,
    line: problem.line,
  }));
}

const lineOf = (path: string, message: string): string => printable(path === '' ? message : `${path}: ${message}`);
