/** What a Mac makes the macOS package of: payload, scripts, and the script that builds and signs it. */
import { chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../step.mjs';
import { settle } from './settle.mjs';

const sources = join(dirname(fileURLToPath(import.meta.url)), 'macos');
/** As Apple names them. */
const architectures = { x64: 'x86_64', arm64: 'arm64' };

/** Where the package installs, from the root of the system. */
const program = 'Library/Application Support/Platen/program';

/**
 * pkgbuild and productbuild run on a Mac only.
 * @param {Parameters<typeof import('./deb.mjs').buildDeb>[0]} options
 * @returns {Promise<string>} a tar.gz; macos/build.sh in it makes the package on a Mac
 */
export async function buildPkg({ out, work, arch, version, epoch, quick, makeTree }) {
  const name = `platen-${version}-macos-${architectures[arch]}`;
  const folder = join(work, name);
  await layOut({
    folder: join(folder, 'payload'),
    makeTree: tree => makeTree({ out: tree, platform: 'darwin', arch }),
  });
  const text = readFileSync(join(sources, 'distribution.xml'), 'utf8');
  const words = { version, architecture: architectures[arch] };
  writeFileSync(
    join(folder, 'distribution.xml'),
    text.replaceAll(/@(\w+)@/g, (_, word) => words[word]),
  );
  writeFileSync(join(folder, 'version'), `${version}\n`);
  writeFileSync(join(folder, 'architecture'), `${architectures[arch]}\n`);
  for (const file of ['scripts', 'build.sh', 'entitlements.plist'])
    cpSync(join(sources, file), join(folder, file), { recursive: true });
  for (const file of ['build.sh', 'scripts/preinstall', 'scripts/postinstall']) chmodSync(join(folder, file), 0o755);
  settle(folder, epoch);

  const file = join(out, `${name}.tar.gz`);
  const pack = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${epoch}`];
  const level = ['-I', `gzip -n -${quick ? 1 : 9}`];
  await run(`Packing ${file}`, ['tar', '-c', '-f', file, ...pack, ...level, '-C', work, name]);
  rmSync(folder, { recursive: true, force: true });
  return file;
}

/** @param {{ folder: string, makeTree: (out: string) => Promise<void> }} options folder: stands for the system's root */
async function layOut({ folder, makeTree }) {
  const tree = join(folder, program);
  const agents = join(folder, 'Library', 'LaunchAgents');
  mkdirSync(dirname(tree), { recursive: true });
  mkdirSync(agents, { recursive: true });
  await makeTree(tree);
  renameSync(join(tree, 'NODE-LICENSE'), join(tree, 'node-license.txt'));
  cpSync(join(sources, 'org.platen.plist'), join(agents, 'org.platen.plist'));
  for (const [source, name] of Object.entries({
    'platen.sh': 'platen',
    'agent.sh': 'agent',
    'uninstall.sh': 'uninstall',
  })) {
    cpSync(join(sources, source), join(tree, name));
    chmodSync(join(tree, name), 0o755);
  }
  const server = '/Library/Application Support/Platen/program/node_modules/@platen/server/config';
  const installed = JSON.parse(readFileSync(join(folder, server, 'installed.json'), 'utf8'));
  const config = { ...installed, $schema: `${server}/schema.json` };
  writeFileSync(join(tree, 'platen.json'), `${JSON.stringify(config, undefined, 2)}\n`);
}
