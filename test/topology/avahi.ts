/** avahi on a D-Bus of its own, as backends of SANE ask it: inside a network namespace of the test's own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { needs, type NeedyTest } from '@platen/conformance';

/** avahi gives its folder to an account of its own, which a namespace with one account does not have. */
export function needsAvahi(t: NeedyTest): boolean {
  if (!['avahi-daemon', 'dbus-daemon'].every(each => needs(t, each))) return false;
  if (process.getuid?.() === 0) return true;
  t.skip('only root can start avahi', () => undefined);
  return false;
}

export interface Avahi {
  /** For programs that ask it. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** Both are told to write their files into a /run of their own, so that two tests can have one each. */
const privateRun = 'mount -t tmpfs none /run && mkdir /run/avahi-daemon && exec "$0" "$@"';

const busConf = (socket: string): string => `<busconfig>
  <type>system</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
  </policy>
</busconfig>`;

/** @throws if one of them ends before avahi answers */
export async function startAvahi(): Promise<Avahi> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-avahi-'));
  const [socket, conf, avahiConf] = ['socket', 'bus.conf', 'avahi.conf'].map(name => join(folder, name));
  await writeFile(conf!, busConf(socket!));
  await writeFile(avahiConf!, '[server]\nuse-ipv6=no\n[publish]\npublish-workstation=no\n');
  const env = { DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` };
  const children: ChildProcess[] = [];
  let said = '';

  function run(command: string, ...args: string[]): void {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    children.push(child);
  }

  async function until(isTrue: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await isTrue())) {
      if (children.some(({ exitCode }) => exitCode !== null)) throw new Error(`avahi did not start: ${said}`);
      await pause(20);
    }
  }

  run('dbus-daemon', '--config-file', conf!, '--nofork', '--nopidfile');
  await until(() =>
    access(socket!).then(
      () => true,
      () => false,
    ),
  );
  const quiet = ['--no-drop-root', '--no-chroot', '--no-rlimits', '-f', avahiConf!];
  run('unshare', '--mount', '--', 'sh', '-c', privateRun, 'avahi-daemon', ...quiet);
  await until(() => /Server startup complete/.test(said));
  return {
    env,
    async stop() {
      for (const child of children.reverse()) {
        const ended = once(child, 'exit');
        if (child.exitCode === null && child.kill()) await ended;
      }
      await rm(folder, { recursive: true });
    },
  };
}
