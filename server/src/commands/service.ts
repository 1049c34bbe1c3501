/** `platen service`: Platen as a service of this computer, with the system's own manager. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, NoReply } from '../machine/ask.js';
import { ConfigError } from '../machine/configError.js';
import { platenProgram, serverFolder } from '../machine/packageFolders.js';
import { isRoot, platform } from '../machine/platform.js';
import { readConfig } from '../machine/config/read.js';
import { resolveSettings, type Settings } from '../machine/config/settings.js';
import { printableLines } from '../machine/printable.js';
import { launchdManager } from '../machine/manager/launchd.js';
import type { ServiceManager, ServicePlace, ServiceState, ServiceStatus } from '../machine/manager/manager.js';
import { systemdManager } from '../machine/manager/systemd.js';
import { serviceHost, windowsManager } from '../machine/manager/windows.js';
import { systemTools } from '../machine/tls/trust/tool.js';
import { cert } from './cert.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import { assertVerb, command } from './command.js';
import { reload } from './parts/reload.js';

const help = `platen service install [--origins MODE] [--root DIR] [--people NAME]...
platen service remove [--data] [--root DIR]
platen service status [--json]
platen service reload
platen service restart

install  makes Platen a service that starts with the computer, and starts it. Asks nothing, and may be repeated.
         Linux: account and data folder, /etc/platen/platen.json, a trusted certificate, a systemd unit (with sudo).
         macOS: an agent of the person (without sudo). Windows: a service (as administrator)
remove   takes out all of it but the data folder, the account that owns it, and a configuration that was changed
status   whether it runs, and whether its port answers
reload   the running service takes over its configuration, licences and updated plugins, between scans; prints what
         changed and what waits for a restart. It does so by itself when a file of the configuration changes
restart  stops it after the sheet in the path, and starts it

  --data         remove: the data folder, its account and the configuration go too
  --origins MODE Linux, macOS: security.origins of a new configuration: open (any web page may scan) or ask (a person is asked)
  --root DIR     Linux: into the image of a system; nothing is started, and no certificate is made
  --people NAME  Windows: an account or a group that may scan; without it, everyone with a session

"platen service status" exits as systemctl does: 0 it runs, 3 it does not run, 4 it is not installed. The others:`;

/** As systemctl's `status`, after the Linux Standard Base. */
const statusCodes: Readonly<Record<ServiceState, number>> = { running: 0, stopped: 3, absent: 4 };
/** How long a started service may take to answer. */
const START_MS = 20_000;
const POLL_MS = 200;

const flagOwners: Readonly<Record<string, readonly string[]>> = {
  data: ['remove'],
  json: ['status'],
  origins: ['install'],
  people: ['install'],
  root: ['install', 'remove'],
};

/** @param given replaces the system's manager in tests */
export const service = command(
  {
    help,
    exits: ['configuration', 'certificate'],
    options: {
      data: { type: 'boolean' },
      json: { type: 'boolean' },
      origins: { type: 'string' },
      people: { type: 'string', multiple: true },
      root: { type: 'string' },
    },
    allowPositionals: true,
  },
  async ({ values, positionals, io }, given?: ServiceManager): Promise<number | 'usage'> => {
    const [verb = '', ...rest] = positionals;
    assertVerb('service', verb, ['install', 'remove', 'status', 'reload', 'restart']);
    if (rest.length > 0 || !/^(?:install|remove|status|reload|restart)$/.test(verb)) return 'usage';
    for (const [flag, verbs] of Object.entries(flagOwners))
      if (values[flag as keyof typeof values] !== undefined && !verbs.includes(verb))
        throw new ConfigError(`--${flag} belongs to "platen service ${verbs.join('" or "')}".`, { code: 'usage' });
    if (values.root !== undefined && (platform !== 'linux' || !values.root.startsWith('/')))
      throw new ConfigError('--root takes the absolute path of a Linux system, on Linux only.', { code: 'usage' });
    const { root, people, origins } = values;
    if (origins !== undefined && origins !== 'open' && origins !== 'ask')
      throw new ConfigError(`--origins takes open or ask, not ${JSON.stringify(origins)}.`, { code: 'usage' });
    if (origins !== undefined && platform === 'win32')
      throw new ConfigError(
        '--origins is for Linux and macOS. Here, set "security": { "origins": "ask" } in the configuration, then restart the service.',
        { code: 'usage' },
      );
    const settings = resolveSettings({ env: io.env, cwd: io.cwd });
    if (verb === 'reload') return reload(settings, io);
    const manager = given ?? systemManager(settings, io, { root, people, origins });
    if (verb === 'status') return tell(await manager.status(), settings, io, values.json === true);
    if (verb === 'restart') {
      await manager.restart();
      return whenStarted(manager, settings, io);
    }
    if (verb === 'remove') {
      await manager.remove({ data: values.data === true });
      return exitCodes.ok;
    }
    if (!(await manager.install())) return exitCodes.ok;
    return whenStarted(manager, settings, io);
  },
);

interface ServiceFlags extends Pick<ServicePlace, 'origins'> {
  readonly root?: string | undefined;
  readonly people?: readonly string[] | undefined;
}

function systemManager(settings: Settings, io: Io, { root = '', people = [], origins }: ServiceFlags): ServiceManager {
  const tools = systemTools(io.env);
  const place: ServicePlace = {
    node: process.execPath,
    program: platenProgram,
    shippedConfig: join(serverFolder, 'config', 'platen.json'),
    schema: join(serverFolder, 'config', 'schema.json'),
    templates: join(serverFolder, 'service'),
    pluginsDir: settings.pluginsDir,
    origins,
    say: line => io.out(printableLines(line)),
    warn: line => io.err(printableLines(line)),
  };
  if (platform === 'win32') {
    const configFile = join(io.env['ProgramData'] || 'C:\\ProgramData', 'Platen', 'platen.json');
    return windowsManager({ ...place, tools, people, configFile, host: serviceHost() });
  }
  if (platform === 'darwin') {
    const home = io.env['HOME'] || homedir();
    const uid = process.getuid?.() ?? 0;
    const { dataDir } = settings;
    return launchdManager({ ...place, tools, isRoot: isRoot(), uid, home, dataDir, cert: verb => cert([verb], io) });
  }
  return systemdManager({ ...place, tools, isRoot: isRoot(), root: root === '/' ? '' : root });
}

/** Waits until the service answers, so that the exit code says whether it works. */
async function whenStarted(manager: ServiceManager, settings: Settings, io: Io): Promise<number> {
  const until = performance.now() + START_MS;
  for (;;) {
    const status = await manager.status();
    const answer = await answerOf(status, settings);
    if (answer.version !== undefined) {
      io.out(
        `Platen ${answer.version} answers at https://localhost:${answer.port}; in a browser, scan at https://localhost:${answer.port}/app/`,
      );
      return exitCodes.ok;
    }
    if (performance.now() >= until || status.result !== undefined) {
      io.err(
        `The service does not answer at port ${answer.port}${status.result === undefined ? '' : ` (${status.result})`}. See its log, and run: platen service status`,
      );
      return exitCodes.failure;
    }
    await sleep(POLL_MS);
  }
}

interface Answer {
  readonly port: number;
  /** Undefined: no Platen answers there. */
  readonly version?: string;
}

async function answerOf({ configFile }: ServiceStatus, settings: Settings): Promise<Answer> {
  const config = await readConfig(configFile ?? settings.configFile, settings.dataDir).catch(() => undefined);
  const port = config?.listen.port ?? 53_052;
  try {
    const { json } = await ask({ port, host: config?.security.allowedHosts[0] ?? 'localhost', path: '/' });
    const { version } = (json ?? {}) as { version?: unknown };
    return typeof version === 'string' ? { port, version } : { port };
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    return { port };
  }
}

async function tell(status: ServiceStatus, settings: Settings, io: Io, json: boolean): Promise<number> {
  const { state, isEnabled, since, result } = status;
  const answer: Partial<Answer> = state === 'absent' ? {} : await answerOf(status, settings);
  if (json)
    io.out(
      JSON.stringify({ state, isEnabled, since, result, ...answer, answers: answer.version !== undefined }, null, 2),
    );
  else if (state === 'absent') io.out('Platen is not installed as a service. Run: platen service install');
  else {
    io.out(
      `${state === 'running' ? `Running${since === undefined ? '' : ` since ${since}`}` : `Not running${result === undefined ? '' : ` (${result})`}`}.`,
    );
    if (isEnabled !== undefined)
      io.out(isEnabled ? 'It starts by itself.' : 'It does not start by itself: platen service install.');
    io.out(
      answer.version === undefined
        ? `Nothing answers as Platen at port ${answer.port}.`
        : `Platen ${answer.version} answers at https://localhost:${answer.port}`,
    );
  }
  return statusCodes[state];
}
