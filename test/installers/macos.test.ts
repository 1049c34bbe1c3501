/** The macOS package as far as Linux shows: its files, its scripts' grammar, and what the scripts do to a folder. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, cp, lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { installCertificate } from '../topology/certificate.js';
import { inherited } from '../topology/platen.js';

const sources = fileURLToPath(new URL('../../../setup/installers/macos/', import.meta.url));
const call = promisify(execFile);
const program = 'Library/Application Support/Platen/program';

/** A volume with the package's payload, and stand-ins for the programs of macOS that write what they are asked into `said`. */
async function volume(t: Test) {
  const folder = await mkdtemp(join(tmpdir(), 'platen-volume-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const said = join(folder, 'said');
  const bin = join(folder, 'stand-ins');
  await mkdir(bin);
  const standIn = async (name: string, body: string): Promise<void> => {
    await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  };
  for (const name of ['launchctl', 'pkgutil', 'sudo']) await standIn(name, `echo "${name} $*" >>"${said}"`);
  await standIn(
    'ps',
    'printf "  501 /System/Library/CoreServices/loginwindow.app/loginwindow\\n    0 /sbin/launchd\\n"',
  );
  await standIn('id', 'if [ "$*" = -u ]; then echo 0; else echo 501; fi');
  const unpack = async (): Promise<void> => {
    await mkdir(join(folder, program), { recursive: true });
    await mkdir(join(folder, 'Library/LaunchAgents'), { recursive: true });
    await cp(join(sources, 'org.platen.plist'), join(folder, 'Library/LaunchAgents/org.platen.plist'));
    await cp(join(sources, 'uninstall.sh'), join(folder, program, 'uninstall'));
    await writeFile(join(folder, program, 'platen.json'), '{"plugins":[]}');
    await standIn('platen', `echo "platen $*" >>"${said}"`);
    await cp(join(bin, 'platen'), join(folder, program, 'platen'));
  };
  const run = (script: string, args: readonly string[]): Promise<unknown> =>
    call('sh', [script, ...args], {
      env: { PATH: `${bin}:${process.env['PATH']}`, PLATEN_VOLUME: folder },
    });
  const saidSoFar = async (): Promise<string> => (existsSync(said) ? readFile(said, 'utf8') : '');
  return { folder, unpack, run, said: saidSoFar };
}

t.test('every script is one that sh reads', async t => {
  const scripts = [
    ...(await readdir(sources)).filter(name => name.endsWith('.sh')),
    'scripts/preinstall',
    'scripts/postinstall',
  ];
  for (const script of scripts) await t.resolves(call('sh', ['-n', join(sources, script)]), script);
});

if (needs(t, 'python3')) {
  t.test('launchd reads the agent', async t => {
    const read = 'import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))';
    const { stdout } = await call('python3', ['-c', read, join(sources, 'org.platen.plist')]);
    t.match(JSON.parse(stdout), {
      Label: 'org.platen',
      ProgramArguments: ['/bin/sh', `/${program}/agent`],
      RunAtLoad: true,
      KeepAlive: true,
      LimitLoadToSessionType: 'Aqua',
    });
    await t.resolves(call('python3', ['-c', read, join(sources, 'entitlements.plist')]));
    const parse = 'import sys,xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])';
    await t.resolves(call('python3', ['-c', parse, join(sources, 'distribution.xml')]));
  });
}

t.test(
  'agent: makes a certificate with the first session; one that expired or is missing stops the service',
  async t => {
    const home = await mkdtemp(join(tmpdir(), 'platen-home-'));
    t.teardown(() => rm(home, { recursive: true, force: true }));
    const data = join(home, 'Library/Application Support/Platen');
    const launcher = join(home, 'platen');
    const service = fileURLToPath(new URL('bin/platen.cjs', import.meta.resolve('@platen/server/package.json')));
    const config = join(home, 'platen.json');
    await writeFile(config, '{"plugins":[]}', { mode: 0o600 });
    const serving = `[ "$1" != serve ] || set -- serve --config '${config}'`;
    await writeFile(launcher, `#!/bin/sh\n${serving}\nexec '${process.execPath}' '${service}' "$@"\n`, { mode: 0o755 });
    const agent = join(home, 'agent');
    const text = await readFile(join(sources, 'agent.sh'), 'utf8');
    await writeFile(agent, text.replace(/^platen=.*$/m, `platen='${launcher}'`));
    const env = { ...inherited, HOME: home, PLATEN_DATA_DIR: data, PLATEN_PORT: '0' };
    const log = (): Promise<string> => readFile(join(home, 'Library/Logs/platen.log'), 'utf8').catch(() => '');
    const begin = () => spawn('sh', [agent], { env, stdio: 'ignore' });

    // Another command made the folder before the agent's first start.
    await mkdir(data, { recursive: true, mode: 0o700 });
    const first = begin();
    const over = once(first, 'exit');
    while (!(await log()).includes(' listens on https://') && first.exitCode === null)
      await new Promise(resolve => setTimeout(resolve, 20));
    first.kill('SIGTERM');
    t.same((await over)[0], 0, 'the first session has a certificate');

    await installCertificate(data, 'expired');
    t.same((await once(begin(), 'exit'))[0], 4, 'expired');
    t.match(await log(), /expired/);
    await rm(join(data, 'certificate'), { recursive: true });
    t.same((await once(begin(), 'exit'))[0], 4, 'missing');
    t.notOk(existsSync(join(data, 'certificate')), 'none is made by itself');
  },
);

t.test('installing, upgrading and removing', async t => {
  const { folder, unpack, run, said } = await volume(t);
  const preinstall = join(sources, 'scripts/preinstall');
  const postinstall = join(sources, 'scripts/postinstall');
  const args = ['org.platen.pkg', '/', folder];
  await run(preinstall, args);
  await unpack();
  await run(postinstall, args);
  const command = join(folder, 'usr/local/bin/platen');
  t.equal(await readlink(command), `/${program}/platen`);
  const configuration = join(folder, 'Library/Application Support/Platen/platen.json');
  t.equal((await lstat(configuration)).mode & 0o777, 0o644);

  await writeFile(configuration, '{"edited":true}');
  const plugin = join(folder, 'Library/Application Support/Platen/plugins/node_modules');
  await mkdir(plugin);
  await writeFile(join(folder, program, 'of-the-earlier-version'), '');
  await run(preinstall, args);
  t.match(await said(), 'launchctl bootout gui/501/org.platen');
  await unpack();
  await run(postinstall, args);
  t.equal(await readFile(configuration, 'utf8'), '{"edited":true}', 'an upgrade keeps the configuration');
  t.ok(existsSync(plugin), 'and plugins');
  t.notOk(existsSync(join(folder, program, 'of-the-earlier-version')), 'and nothing of the earlier version');

  const data = join(folder, 'Users/someone/Library/Application Support/Platen/certificate');
  await mkdir(data, { recursive: true });
  await run(join(folder, program, 'uninstall'), []);
  t.match(await said(), /launchctl asuser 501 sudo -u someone .*platen cert remove/);
  t.match(await said(), 'pkgutil --forget org.platen.pkg');
  for (const path of [program, 'Library/LaunchAgents/org.platen.plist'])
    t.notOk(existsSync(join(folder, path)), `${path} is gone`);
  await t.rejects(lstat(command), 'the command is gone');
  t.ok(existsSync(data) && existsSync(configuration) && existsSync(plugin), 'data, configuration and plugins stay');

  await unpack();
  await chmod(join(folder, program, 'platen'), 0o755);
  await run(join(folder, program, 'uninstall'), ['--data']);
  t.notOk(existsSync(join(folder, 'Library/Application Support/Platen')));
  t.notOk(existsSync(join(data, '..')));
});
