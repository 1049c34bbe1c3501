/**
 * Platen as a LaunchAgent of the person: Image Capture's own processes belong to the session, so a LaunchDaemon would
 * find no scanner.
 */
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must, type Tools } from '../tls/trust/tool.js';
import { ServiceError, type ServiceManager, type ServicePlace } from './manager.js';
import { configText, filled, xmlText } from './template.js';

export interface LaunchdPlace extends ServicePlace {
  readonly tools: Tools;
  readonly isRoot: boolean;
  /** The person's number. */
  readonly uid: number;
  readonly home: string;
  readonly dataDir: string;
  /** Makes the certificate and trusts it for the person; removes it. Exit codes of `platen cert`. */
  cert(verb: 'install' | 'remove'): Promise<number>;
}

const LABEL = 'org.platen';
/** The agent of the installer package, for everyone. */
const PACKAGED = `/Library/LaunchAgents/${LABEL}.plist`;
const missing = 'it is part of macOS';

export function launchdManager(place: LaunchdPlace, packaged: string = PACKAGED): ServiceManager {
  const { tools, uid, home, say, warn } = place;
  const agent = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`);
  const log = join(home, 'Library', 'Logs', 'platen.log');
  /** The package's own one is replaced by updates. */
  const ownConfig = join(place.dataDir, 'platen.json');
  const configFile = async (): Promise<string> => ((await exists(ownConfig)) ? ownConfig : place.shippedConfig);
  const domain = `gui/${uid}`;
  const print = () => tools.run('launchctl', ['print', `${domain}/${LABEL}`]);

  /** launchd refuses an agent that it has already. */
  async function unload(): Promise<void> {
    if ((await print())?.code === 0) await must(tools, 'launchctl', ['bootout', `${domain}/${LABEL}`], missing);
  }

  async function writeConfig(origins: 'open' | 'ask'): Promise<void> {
    if (await exists(ownConfig))
      return warn(`Kept the configuration ${ownConfig}: set "security": { "origins": "${origins}" } in it.`);
    await writeFile(ownConfig, configText(place, origins), { mode: 0o600 });
    say(`Wrote the configuration ${ownConfig}.`);
  }

  async function assertOurs(verb: string): Promise<void> {
    if (place.isRoot)
      throw new ServiceError(
        `Scanners belong to a person's session, not to root. Run it without sudo: platen service ${verb}`,
      );
    if (await exists(packaged))
      throw new ServiceError(
        `${packaged} belongs to the installer package, which starts Platen for everyone who logs in.`,
      );
  }

  return {
    async install() {
      await assertOurs('install');
      const code = await place.cert('install');
      if (place.origins !== undefined) await writeConfig(place.origins);
      const text = await filled(join(place.templates, 'platen.plist'), {
        node: xmlText(place.node),
        program: xmlText(place.program),
        config: xmlText(await configFile()),
        plugins: xmlText(place.pluginsDir ?? ''),
        log: xmlText(log),
      });
      for (const folder of ['LaunchAgents', 'Logs']) await mkdir(join(home, 'Library', folder), { recursive: true });
      await unload();
      await writeFile(agent, text, { mode: 0o644 });
      await must(tools, 'launchctl', ['bootstrap', domain, agent], missing);
      say(`Wrote ${agent}; Platen runs now and starts with each session. Its log: ${log}`);
      if (code !== 0) throw new ServiceError('Platen is installed, but its certificate is not trusted: see above.');
      return true;
    },

    async remove({ data }) {
      await assertOurs('remove');
      await unload();
      say((await exists(agent)) ? `Removed ${agent}.` : 'The service was not installed.');
      await rm(agent, { force: true });
      await rm(log, { force: true });
      if ((await place.cert('remove')) !== 0) throw new ServiceError('The certificate is still trusted: see above.');
      if (!data) return warn(`Kept ${place.dataDir}. With --data it goes too.`);
      await rm(place.dataDir, { recursive: true, force: true });
      say(`Removed ${place.dataDir}.`);
    },

    async restart() {
      await must(tools, 'launchctl', ['kickstart', '-k', `${domain}/${LABEL}`], missing);
    },

    async status() {
      if (!(await exists(agent)) && !(await exists(packaged))) return { state: 'absent' };
      const ran = await print();
      const isRunning = ran?.code === 0 && /^\s*state = running$/m.test(ran.said);
      const last = /^\s*last exit code = (.+)$/m.exec(ran?.said ?? '')?.[1];
      return {
        state: isRunning ? 'running' : 'stopped',
        isEnabled: ran?.code === 0,
        ...(!isRunning && last !== undefined ? { result: `last exit code ${last}` } : {}),
        configFile: await configFile(),
      };
    },
  };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
