/** Platen as a service of systemd: account, data folder, configuration, certificate, unit. All steps can be repeated. */
import { chmod, chown, mkdir, readFile, realpath, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkDataFolder } from '../dataFolder/dataFolder.js';
import { DATA, SERVICE_CONFIG } from '../linuxService.js';
import { linuxSystemStore } from '../tls/trust/linuxSystem.js';
import { must, type Tools } from '../tls/trust/tool.js';
import { imagePaths } from './image.js';
import { linuxAccount } from './linuxAccount.js';
import { ServiceError, type ServiceManager, type ServicePlace, type ServiceStatus } from './manager.js';
import { makeServiceCertificate, serviceCertificates } from './serviceCertificate.js';
import { configText, filled, unitArgument, unitWord } from './template.js';

export interface SystemdPlace extends ServicePlace {
  readonly tools: Tools;
  readonly isRoot: boolean;
  /** A folder that stands for the system's root, as in an image; empty for this system. */
  readonly root: string;
}

const UNIT = 'platen.service';
const OWN_UNIT = `/etc/systemd/system/${UNIT}`;
const PACKAGED_UNITS = [`/usr/lib/systemd/system/${UNIT}`, `/lib/systemd/system/${UNIT}`];
/** The unit hides these from the service, and other accounts may not read them. */
const HIDDEN = /^\/(?:home|root|run\/user|tmp|var\/tmp)\//;
const missing = 'this system has no systemd; start "platen serve" with its own service manager';

export function systemdManager(place: SystemdPlace): ServiceManager {
  // Looked up for each command: an image may have been changed between them.
  const manager = async (): Promise<ServiceManager> =>
    managerAt(
      place,
      await imagePaths(place.root, { through: [DATA, ...PACKAGED_UNITS], written: [SERVICE_CONFIG, OWN_UNIT] }),
    );
  return {
    install: async () => (await manager()).install(),
    remove: async removal => (await manager()).remove(removal),
    status: async () => (await manager()).status(),
    restart: async () => (await manager()).restart(),
  };
}

/** @param at where a path of the system is */
function managerAt(place: SystemdPlace, at: (path: string) => string): ServiceManager {
  const { tools, root, say, warn } = place;
  const account = linuxAccount(tools, root);
  const systemctl = (...args: readonly string[]) => systemctlOf(tools, root, args);
  const store = linuxSystemStore(tools, { root: true, isNumbered: true });

  function assertRoot(verb: string): void {
    if (!place.isRoot)
      throw new ServiceError(
        `Changing the computer's services needs administrator rights. Run: sudo ${place.node} ${place.program} service ${verb}`,
      );
  }

  async function install(): Promise<boolean> {
    assertRoot('install');
    if (await packagedUnit(at)) {
      if (root !== '' || !(await isBooted())) return false;
      await systemctl('enable', '--now', UNIT);
      say("The service of the installed package is enabled and runs. Update and remove it with the system's packages.");
      return true;
    }
    const paths = await checkedPaths(place);
    await must(tools, 'systemctl', ['--version'], missing);
    if (await account.make()) say('Made the account platen.');
    await makeDataFolder();
    if (await writeIfAbsent(at(SERVICE_CONFIG), configText(place, place.origins)))
      say(`Wrote the configuration ${at(SERVICE_CONFIG)}.`);
    else if (place.origins !== undefined)
      warn(`Kept the configuration ${at(SERVICE_CONFIG)}: set "security": { "origins": "${place.origins}" } in it.`);
    const unit = await filled(join(place.templates, UNIT), {
      node: unitArgument(paths.node),
      program: unitArgument(paths.program),
      config: SERVICE_CONFIG,
      plugins: unitWord(paths.plugins),
    });
    const isNew = (await readFile(at(OWN_UNIT), 'utf8').catch(() => '')) !== unit;
    await writePublic(at(OWN_UNIT), unit);
    if (root !== '') {
      await systemctl('enable', UNIT);
      say(
        `Wrote ${at(OWN_UNIT)}, enabled. Each computer makes its own certificate: run "platen service install" there.`,
      );
      return false;
    }
    const { node, program } = place;
    const certificate = await makeServiceCertificate({ node, program, account, store });
    if (certificate.isAdded) say(`The certificate is trusted in ${store.name}, with those that follow it.`);
    if (!(await isBooted())) {
      await systemctl('enable', UNIT);
      say('systemd does not run here: the service starts with the system.');
      return false;
    }
    await systemctl('daemon-reload');
    await systemctl('enable', UNIT);
    await systemctl(isNew || certificate.isNew ? 'restart' : 'start', UNIT);
    say(`${UNIT} is enabled and started. Its log: journalctl -u platen`);
    if (certificate.failure !== undefined)
      throw new ServiceError(`The service is installed, but its certificate is not trusted. ${certificate.failure}`);
    return true;
  }

  async function makeDataFolder(): Promise<void> {
    const ids = await account.ids();
    await mkdir(dirname(at(DATA)), { recursive: true });
    const isNew = (await mkdir(at(DATA), { mode: 0o700 }).catch(() => 'there')) === undefined;
    if (!isNew || !ids) return;
    await chmod(at(DATA), 0o700);
    await chown(at(DATA), ids.uid, ids.gid);
    say(`Made the data folder ${at(DATA)}.`);
  }

  async function remove({ data }: { readonly data: boolean }): Promise<void> {
    assertRoot('remove');
    if (data) await account.assertOurs();
    const packaged = await packagedUnit(at);
    if (packaged !== undefined && (await isFile(at(OWN_UNIT)))) {
      // It hides the package's unit. All else is the package's by now.
      await rm(at(OWN_UNIT), { force: true });
      if (root === '' && (await isBooted())) await systemctl('daemon-reload');
      return say(`Removed ${at(OWN_UNIT)}. The service of the installed package stays: ${packaged}.`);
    }
    if (packaged !== undefined)
      throw new ServiceError(
        `${packaged} belongs to a package of the system. Remove that: apt purge platen, or dnf remove platen.`,
      );
    if (await isFile(at(OWN_UNIT))) {
      const isRunning = root === '' && (await isBooted());
      await systemctl('disable', ...(isRunning ? ['--now'] : []), UNIT);
      await rm(at(OWN_UNIT), { force: true });
      if (isRunning) await systemctl('daemon-reload');
      say(`Removed ${at(OWN_UNIT)}.`);
    } else say('The service was not installed.');
    const ids = await account.ids();
    const trusted = root === '' && ids ? [...(await serviceCertificates(account)), ...(await store.held())] : [];
    for (const certificate of trusted)
      if (await store.remove(certificate)) say(`Removed a certificate from ${store.name}.`);
    const config = await readFile(at(SERVICE_CONFIG), 'utf8').catch(() => undefined);
    // An administrator's grants beside it would count at the next installation.
    if (data) await rm(dirname(at(SERVICE_CONFIG)), { recursive: true, force: true });
    else if (config !== undefined) {
      const unchanged = ([undefined, 'open', 'ask'] as const).map(each => configText(place, each));
      if (unchanged.includes(config)) {
        await rm(at(SERVICE_CONFIG), { force: true });
        // Only if nothing else is in it.
        await rmdir(dirname(at(SERVICE_CONFIG))).catch(() => undefined);
      } else warn(`Kept the configuration ${at(SERVICE_CONFIG)}, because it was changed. With --data it goes too.`);
    }
    if (!data) {
      if (ids) warn(`Kept ${at(DATA)} and its owner, the account platen. With --data they go too.`);
      return;
    }
    await checkDataFolder(at(DATA));
    await rm(at(DATA), { recursive: true, force: true });
    await account.remove();
    say(`Removed ${at(DATA)} and the account platen.`);
  }

  const restart = async (): Promise<void> => (assertRoot('restart'), void (await systemctl('restart', UNIT)));
  return { install, remove, restart, status: () => statusOf(tools, at) };
}

const systemctlOf = (tools: Tools, root: string, args: readonly string[]): Promise<string> =>
  must(tools, 'systemctl', [...(root === '' ? [] : [`--root=${root}`]), ...args], missing);

async function statusOf(tools: Tools, at: (path: string) => string): Promise<ServiceStatus> {
  const isThere = (await isFile(at(OWN_UNIT))) || (await packagedUnit(at)) !== undefined;
  if (!isThere) return { state: 'absent' };
  const properties = ['ActiveState', 'ActiveEnterTimestamp', 'Result', 'ExecMainStatus'];
  const shown = await tools.run('systemctl', ['show', UNIT, `--property=${properties.join(',')}`]);
  // Also known while systemd does not run.
  const enabled = await tools.run('systemctl', ['is-enabled', UNIT]);
  const facts = Object.fromEntries((shown?.said ?? '').split('\n').map(line => line.split(/=(.*)/).slice(0, 2)));
  const { ActiveState, ActiveEnterTimestamp: since, Result, ExecMainStatus } = facts as Record<string, string>;
  const isRunning = shown?.code === 0 && ActiveState === 'active';
  return {
    state: isRunning ? 'running' : 'stopped',
    isEnabled: enabled?.said.startsWith('enabled') === true,
    ...(isRunning && since ? { since } : {}),
    ...(!isRunning && Result && Result !== 'success' ? { result: `${Result} ${ExecMainStatus ?? ''}`.trim() } : {}),
    configFile: at(SERVICE_CONFIG),
  };
}

/** @throws ServiceError for a place that the service could not read */
async function checkedPaths({ node, program, pluginsDir }: ServicePlace) {
  const paths = {
    node: await realpath(node),
    program: await realpath(program),
    plugins: pluginsDir ?? '/usr/local/lib/platen',
  };
  for (const path of Object.values(paths))
    if (HIDDEN.test(path))
      throw new ServiceError(
        `${path} is in a private folder, which the service's account cannot read. Install Node for the whole system, and Platen with: npm install --prefix /opt/platen @platen/server`,
      );
  return paths;
}

async function packagedUnit(at: (path: string) => string): Promise<string | undefined> {
  for (const unit of PACKAGED_UNITS) if (await isFile(at(unit))) return unit;
  return undefined;
}

/** Whether systemd is this system's first process: sd_booted(3). */
const isBooted = (): Promise<boolean> =>
  stat('/run/systemd/system').then(
    found => found.isDirectory(),
    () => false,
  );

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    found => found.isFile(),
    () => false,
  );

/** Readable for all accounts, whatever umask the administrator has. */
async function writePublic(file: string, text: string): Promise<void> {
  if ((await mkdir(dirname(file), { recursive: true })) !== undefined) await chmod(dirname(file), 0o755);
  await writeFile(file, text);
  await chmod(file, 0o644);
}

async function writeIfAbsent(file: string, text: string): Promise<boolean> {
  if (await isFile(file)) return false;
  await writePublic(file, text);
  return true;
}
