/** `npm run installers`: builds the installers of a release on Debian. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { root, StepError } from '../step.mjs';
import { onPath } from '../systemPackages.mjs';
import { withRelease } from './release.mjs';

const usage = `npm run installers -- [deb | rpm | pkg | msi ...] [--arch x64,arm64] [--version V] [--out FOLDER] [--quick]

Builds installers, all kinds where none is named, into node_modules/.cache/platen-installers/out. pkg gives what a Mac
makes the package of: see docs/macos.md. --arch: x64 where it is not given; a kind that is not named is
left out where it has no such architecture. --quick compresses little, for tests.
The same sources and SOURCE_DATE_EPOCH (the last commit's time where it is not set) give the same files.`;

/** The program that a kind needs, with Debian's package. */
const kinds = {
  deb: { module: './deb.mjs', build: 'buildDeb', program: 'dpkg-deb', debian: 'dpkg', arch: ['x64', 'arm64'] },
  rpm: { module: './rpm.mjs', build: 'buildRpm', program: 'rpmbuild', debian: 'rpm', arch: ['x64', 'arm64'] },
  pkg: { module: './pkg.mjs', build: 'buildPkg', program: 'tar', debian: 'tar', arch: ['x64', 'arm64'] },
  msi: { module: './msi.mjs', build: 'buildMsi', program: 'msibuild', debian: 'msitools gcab', arch: ['x64'] },
};

const cache = join(root, 'node_modules', '.cache', 'platen-installers');

/**
 * @param {string[]} args
 * @returns {Promise<string[]>} the files
 * @throws {StepError} with what is wrong or failed
 */
export async function buildInstallers(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      arch: { type: 'string', default: 'x64' },
      version: { type: 'string', default: readManifest(join('server', 'package.json')).version },
      out: { type: 'string', default: join(cache, 'out') },
      quick: { type: 'boolean', default: false },
    },
  });
  // A pre-release has no MSI, which can be told from its release's by nothing.
  const possible = Object.keys(kinds).filter(name => name !== 'msi' || !values.version.includes('-'));
  const wanted = positionals.length > 0 ? positionals : possible;
  const unknown = wanted.find(name => !Object.hasOwn(kinds, name));
  if (unknown) throw new StepError(`There is no installer of the kind "${unknown}".\n\n${usage}`);
  const archs = values.arch.split(',');
  const builders = wanted.flatMap(name =>
    archs.filter(arch => positionals.length > 0 || isFor(name, arch)).map(arch => ({ ...checked(name, arch), arch })),
  );
  const out = resolve(values.out);
  const work = join(cache, `work-${process.pid}`);
  mkdirSync(out, { recursive: true });
  try {
    return await withRelease(values.version, async makeTree => {
      const files = [];
      for (const { module, build, arch } of builders) {
        const { [build]: builder } = await import(module);
        rmSync(work, { recursive: true, force: true });
        mkdirSync(work, { recursive: true });
        const { version, quick } = values;
        files.push(await builder({ out, work, arch, version, quick, makeTree, epoch: epoch(), ...publisher() }));
      }
      return files;
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Whether a kind that nobody named is built: an architecture that no kind has is refused by `checked`. */
function isFor(name, arch) {
  return kinds[name].arch.includes(arch) || !Object.values(kinds).some(kind => kind.arch.includes(arch));
}

function checked(name, arch) {
  const kind = kinds[name];
  if (!existsSync(new URL(kind.module, import.meta.url)))
    throw new StepError(`This clone cannot build ${name}: setup/installers/${kind.module.slice(2)} is not there.`);
  if (!kind.arch.includes(arch))
    throw new StepError(`--arch takes ${kind.arch.join(' or ')} for ${name}, not "${arch}".`);
  if (!onPath(kind.program)) {
    const fix = `sudo apt-get install -y --no-install-recommends ${kind.debian}`;
    throw new StepError(`"${kind.program}" is not installed, which builds ${name}. Run: ${fix}`);
  }
  return kind;
}

/** The time of every file in the installers, in seconds since 1970. */
function epoch() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) {
    if (/^\d+$/.test(given)) return Number(given);
    throw new StepError(`SOURCE_DATE_EPOCH takes seconds since 1970, not "${given}".`);
  }
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

/** Whom the installers name. */
function publisher() {
  const { author = 'The Platen authors', repository = '' } = readManifest('package.json');
  const url = typeof repository === 'string' ? repository : repository.url;
  return { maintainer: author, homepage: url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

function readManifest(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    if (process.argv.includes('--help')) console.log(usage);
    else for (const file of await buildInstallers(process.argv.slice(2))) console.log(file);
  } catch (error) {
    if (!(error instanceof StepError) && error.code?.startsWith?.('ERR_PARSE_ARGS') !== true) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
