/** The steps that make a clone ready. Each finds out by itself whether there is anything to do, and is silent where there is not. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageFolders, removeStale } from './projects.mjs';
import { npm, npmOptions, root, run, StepError } from './step.mjs';

const modules = join(root, 'node_modules');

/** What node_modules was last made from. It lies inside, so that it goes when node_modules goes. */
const stamp = name => ({
  file: join(modules, `.platen-${name}`),
  fits(hash) {
    return existsSync(this.file) && readFileSync(this.file, 'utf8') === hash;
  },
  set(hash) {
    if (existsSync(modules)) writeFileSync(this.file, hash);
  },
});

export async function installDependencies() {
  const manifests = ['package-lock.json', 'package.json', ...packageFolders().map(folder => relative(root, join(folder, 'package.json')))];
  const hash = hashOf(manifests.map(file => [file.replaceAll('\\', '/'), readFileSync(join(root, file))]));
  const installed = stamp('dependencies');
  if (installed.fits(hash)) return;
  if (!lockIsInstalled()) await install();
  installed.set(hash);
}

/** `npm ci` for the first time; afterwards what changed, so that a service that runs from this clone keeps its files. */
async function install() {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const update = ['install', '--no-save', ...quiet];
  if (existsSync(modules) && !process.env.CI) {
    await run('Updating the dependencies', npm(...update), npmOptions);
    return;
  }
  try {
    await run('Installing the dependencies (once, about a minute)', npm('ci', ...quiet), npmOptions);
  } catch (error) {
    if (!(error instanceof StepError) || process.env.CI) throw error;
    console.error('Trying without the exact versions of package-lock.json; "npm install" mends the file if that works.');
    await run('Installing the dependencies', npm(...update), npmOptions);
  }
}

/** Whether npm's own record of node_modules has all that the lock asks for on this system. */
function lockIsInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const read = file => JSON.parse(readFileSync(file, 'utf8')).packages;
  const have = read(record);
  return Object.entries(read(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = have[path];
    return found ? found.version === wanted.version && found.resolved === wanted.resolved : wanted.optional || wanted.peer;
  });
}

export async function buildProjects() {
  for (const folder of packageFolders()) removeStale(folder);
  await run('Building', [process.execPath, join(modules, 'typescript', 'bin', 'tsc'), '-b', root]);
}

/** Helpers of drivers are programs of their own: without one its driver says what to do, and everything else works. */
export async function buildNative() {
  for (const folder of packageFolders()) {
    if (!existsSync(join(folder, 'native', 'binding.gyp'))) continue;
    const { name, scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!scripts?.['build:native']) continue;
    try {
      await run(`Building the native helper of ${name}`, npm('run', '--silent', 'build:native'), { ...npmOptions, cwd: folder });
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      console.error(`${name} goes without its native helper; the rest of Platen does not need it.`);
    }
  }
}

/** Idempotent: a valid certificate stays. No trust store is touched. */
export async function makeCertificate() {
  await run('Looking after the certificate', [process.execPath, join(root, 'server', 'bin', 'platen.cjs'), 'cert', 'install', '--no-trust']);
}

/** tap builds itself from its plug-ins, which `.taprc` lists; a run that has to do so itself still uses the old ones. */
export async function prepareTestRunner() {
  const tap = join(modules, 'tap');
  const hash = hashOf([['.taprc', readFileSync(join(root, '.taprc'))], ['tap', readFileSync(join(tap, 'package.json'))]]);
  const built = stamp('tap');
  if (built.fits(hash)) return;
  await run('Preparing the test runner', [process.execPath, join(tap, 'dist', 'esm', 'run.mjs'), 'build']);
  built.set(hash);
}

function hashOf(entries) {
  const hash = createHash('sha256');
  for (const [name, content] of entries) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}
