/**
 * A package whose dependency comes from git. npm prepares it with a second npm, which runs the program that the clone's
 * `.npmrc` names: nothing of it may run here, with any npm. No network is asked.
 */
import { chmod, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { platform } from '../../machine/platform.js';
import { findNpm, noForeignCode, runNpm } from './npm.js';
import { addKit, plugin, run } from './pluginsAdd.test.kit.js';

const { newFolder, packed, platen, root } = await addKit(t);

const hasGit = await run('git', ['--version']).then(
  () => platform !== 'win32',
  () => false,
);
const skip = !hasGit && 'git and a shell are needed';
const ran = join(root, 'ran');

/** A repository with one commit. @param files by name */
async function repository(name: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, 'repositories', name);
  await mkdir(folder, { recursive: true });
  const git = (...args: string[]) => run('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args]);
  await git('init', '--quiet');
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(folder, file), text);
    await chmod(join(folder, file), 0o755);
  }
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'x');
  return `git+${pathToFileURL(folder).href}`;
}

async function attack(): Promise<string> {
  const nested = await repository('nested', { 'package.json': '{"name":"nested","version":"1.0.0"}' });
  const manifest = { name: 'evil', version: '1.0.0', scripts: { prepare: 'exit 0' }, dependencies: { nested } };
  const evil = await repository('evil', {
    'package.json': JSON.stringify(manifest),
    '.npmrc': 'git=./evil\n',
    evil: `#!/bin/sh\necho "$@" >> '${ran}'\nexit 1\n`,
  });
  return packed('gitdep', plugin(1), { dependencies: { evil } });
}

t.test('add: a package with a dependency from git, nothing of it runs and nothing is installed', { skip }, async t => {
  const file = await attack();
  const npm = (await findNpm(undefined, process.env))!;
  const install = async (...guards: string[]): Promise<void> => {
    const prefix = newFolder();
    await mkdir(prefix);
    const args = [...npm.args, 'install', '--prefix', prefix, '--ignore-scripts', '--no-audit', ...guards, '--', file];
    await t.rejects(run(npm.command, args));
  };

  await install();
  await realpath(ran);
  t.pass('an unguarded npm runs the program');
  await rm(ran);
  // All that an npm before 11.10 knows of the guards.
  await install(...noForeignCode.filter(guard => !guard.startsWith('--allow')));
  await t.rejects(realpath(ran), { code: 'ENOENT' }, 'an older npm runs nothing');

  const folder = newFolder();
  await t.rejects(platen(folder, 'add', file), { name: 'NpmError', message: /git/ });
  await t.rejects(platen(newFolder(), 'add', file, '--scripts'), { name: 'NpmError' });
  await t.rejects(realpath(ran), { code: 'ENOENT' }, 'nothing runs');
  await t.rejects(realpath(join(folder, 'node_modules/evil')), { code: 'ENOENT' });

  const through = await packed('@acme/through', plugin(1), { dependencies: { gitdep: '1.2.0' } });
  await t.rejects(platen(newFolder(), 'add', through, file), { name: 'NpmError' });
  await t.rejects(realpath(ran), { code: 'ENOENT' }, "nor of a dependency's dependency");
});

t.test('add: a dependency from an address, nothing is asked', async t => {
  const file = await packed('far', plugin(1), { dependencies: { near: 'http://127.0.0.1:9/near.tgz' } });
  await t.rejects(platen(newFolder(), 'add', file), { name: 'NpmError', message: /address|cannot reach/ });
});

t.test('npm: one that is too old is not used, and the message says which is needed', async t => {
  const path = join(root, 'old-npm');
  await writeFile(path, '#!/bin/sh\n[ "$1" = --version ] && echo 9.9.9\n', { mode: 0o755 });
  const folder = { path: root, npmPrefix: root, isGlobal: false };
  const npm =
    platform === 'win32' ? { command: process.execPath, args: ['-p', '"9.9.9"'] } : { command: path, args: [] };
  const call = { npm, folder, verb: 'install', packages: ['x'], scripts: false, env: process.env } as const;
  await t.rejects(runNpm(call), { name: 'NpmError', message: /npm 10 .*9\.9\.9/ });
});
