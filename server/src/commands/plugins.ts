/** `platen plugins`: the state of every plugin in the configuration; adds and removes packages. */
import { daysLeft, type Contribution, type Entitlement, type HealthAnswer, type PluginReport } from '@platen/core';
import { resolveSettings, type Settings } from '../machine/config/settings.js';
import { printable } from '../machine/printable.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { dataFolderHolder } from '../machine/dataFolder/lock.js';
import { askHealth } from './parts/askHealth.js';
import { loadConfigured } from './parts/loadConfigured.js';
import { addPlugins, removePlugins, type WhoChecks } from './plugins/pluginsAdd.js';
import { packPlugins } from './plugins/bundles/pack.js';
import { assertVerb, command } from './command.js';
import { usage } from './parts/newFile.js';
import { switchPlugins } from './plugins/switch.js';

const help = `platen plugins list [--config FILE] [--json]
platen plugins add PACKAGE|FILE.tgz... [--offline] [--data] [--scripts] [--config FILE]
platen plugins add --offline
platen plugins remove PACKAGE...
platen plugins pack PACKAGE|FILE.tgz|FOLDER... --out BUNDLE.tgz [--platform NAMES] [--data] [--force]
platen plugins enable|disable NAME... [--config FILE]

list    loads the configuration's plugins as the service does, and prints the state of each, and the health that it
        tells; while a service runs, only of plugins without scanners: the doctor asks the service. The exit code is 1 if a
        plugin is refused, or is premium and has no valid licence
add     installs packages with npm in the folder where the service looks for plugins (PLATEN_PLUGINS_DIR, by default
        that of the installation), loads each once, without an administrator's rights, and prints the
        command that switches it on: the configuration stays as it is. Needs the right to write that folder. A package that is not a plugin is removed again, exit code 1.
        A bundle (FILE.tgz that pack made) needs neither npm nor a network. With --offline and no names: adds the
        bundles in plugins.d, in that folder, that are not installed
pack    makes one file with plugins and all that they need, for computers without a network
remove  removes packages that were added
enable, disable  switch plugins on or off: NAME without a scope is that of @platen. Writes 80-plugins.json in the folder conf.d
        beside the configuration, which needs the right to write there, says what changes for web pages, and has the
        running service take it over between scans

  --offline         asks no network: names of npm's registry are refused
  --data            the packages are data for plugins, such as the language @tesseract.js-data/deu
  --out FILE        the bundle to make
  --platform NAMES  for which computers, such as linux-x64,win32-x64; this computer's if absent
  --force           overwrite an existing file
  --scripts         run the packages' install scripts, for example to build native code`;

/** The commands that a flag belongs to. */
const owners = {
  json: ['list'],
  data: ['add', 'pack'],
  scripts: ['add'],
  offline: ['add'],
  out: ['pack'],
  platform: ['pack'],
  force: ['pack'],
} as const;

/** @param whoChecks replaces the choice of the account in tests */
export const plugins = command(
  {
    help,
    exits: ['configuration'],
    options: {
      config: { type: 'string' },
      json: { type: 'boolean' },
      data: { type: 'boolean' },
      scripts: { type: 'boolean' },
      offline: { type: 'boolean' },
      out: { type: 'string' },
      platform: { type: 'string' },
      force: { type: 'boolean' },
    },
    allowPositionals: true,
  },
  async ({ values, positionals, io }, whoChecks?: WhoChecks): Promise<number | 'usage'> => {
    const [verb = '', ...names] = positionals;
    assertVerb('plugins', verb, ['list', 'add', 'pack', 'remove', 'enable', 'disable']);
    const { json = false, data = false, scripts = false, offline = false, force = false, out, platform } = values;
    const mayBeBare = verb === 'list' || (verb === 'add' && offline);
    if (verb === '' || (names.length === 0 ? !mayBeBare : verb === 'list')) return 'usage';
    for (const [flag, verbs] of Object.entries<readonly string[]>(owners))
      if (values[flag as keyof typeof owners] && !verbs.includes(verb))
        throw usage(`--${flag} belongs to "platen plugins ${verbs.join(' or ')}", not to "platen plugins ${verb}".`);
    if (verb === 'pack') return packPlugins(names, { out, platform, data, force }, io);
    const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
    if (verb === 'add') return addPlugins(names, settings, io, { data, scripts, offline }, whoChecks);
    if (verb === 'remove') return removePlugins(names, settings, io);
    if (verb !== 'list') return switchPlugins(names, verb === 'enable', settings, io);
    return list(settings, io, json);
  },
);

async function list(settings: Settings, io: Io, json: boolean): Promise<number> {
  const { registry, reports } = await loadConfigured(settings, io);
  const holder = await dataFolderHolder(settings.dataDir);
  const answers = await askHealth(registry, !holder.alive);
  await registry.close();
  const healthOf = ({ use }: PluginReport): HealthAnswer | undefined => answers.find(({ plugin }) => plugin === use);
  if (json)
    io.out(
      JSON.stringify(
        // What a form is made of is for a form.
        reports.map(({ optionsSchema: _schema, finds: _finds, ...report }) => ({
          ...report,
          provides: named(report.provides),
          health: toldOf(healthOf(report)),
        })),
        null,
        2,
      ),
    );
  else {
    const linked = registry.drivers.filter(({ link }) => link).map(({ id }) => id);
    const isElsewhere = ({ provides }: PluginReport): boolean =>
      provides.some(({ kind, id }) => kind === 'driver' && linked.includes(id));
    for (const report of reports) io.out(line(report, healthOf(report), isElsewhere(report)));
  }
  return reports.some(({ state }) => state === 'refused' || state === 'unlicensed') ? exitCodes.failure : exitCodes.ok;
}

/** Without what the report says already. */
function toldOf(answer: HealthAnswer | undefined): Omit<HealthAnswer, 'plugin'> | undefined {
  if (!answer) return undefined;
  const { plugin: _, ...told } = answer;
  return told;
}

/** For people: `driver virtual`. */
function named(provides: readonly Contribution[]): string[] {
  return provides.map(({ kind, id }) => `${kind} ${id}`);
}

/** @param isElsewhere its scanners are those of the desktop application's drivers */
function line(report: PluginReport, health: HealthAnswer | undefined, isElsewhere: boolean): string {
  const { use, version, state, sentence, provides, unused = [], lacks, idleLicence, entitlement } = report;
  const name = version === undefined ? use : `${use} ${version}`;
  const licensed = entitlement ? `, ${licensedTo(entitlement)}` : '';
  const wellness = health
    ? `Health: ${health.state}${health.sentence === undefined ? '.' : `, ${health.sentence}`}`
    : isElsewhere
      ? 'Health: not asked, because its drivers run in the desktop application.'
      : undefined;
  const remarks = [...unused.map(each => each.sentence), lacks, idleLicence, wellness].filter(
    each => each !== undefined,
  );
  return printable(
    `${state.padEnd(10)}  ${name}  ${sentence ?? named(provides).join(', ')}${licensed}${remarks.length === 0 ? '' : `. ${remarks.join(' ')}`}`,
  );
}

function licensedTo(entitlement: Entitlement): string {
  const { customer, expires, trial, seats } = entitlement;
  const days = trial ? `, trial, ${daysLeft(entitlement)} days left` : '';
  const places = seats === undefined ? '' : `, ${seats} seats`;
  return `licensed to ${customer} until ${expires.toISOString().slice(0, 10)}${places}${days}`;
}
