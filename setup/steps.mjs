/** The steps that set a clone up. Each checks whether it has anything to do, and prints nothing if not. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageFolders, removeStale } from './projects.mjs';
import { isServiceBundled } from './serviceBundle.mjs';
import { npm, npmOptions, root, run, StepError } from './step.mjs';

const modules = join(root, 'node_modules');

/** A hash of what something in the clone was made from. The file is inside, so that it goes when node_modules goes. */
const stamp = name => ({
  file: join(modules, `.platen-${name}`),
  fits(hash) {
    return existsSync(this.file) && readFileSync(this.file, 'utf8') === hash;
  },
  set(hash) {
    if (existsSync(modules)) writeFileSync(this.file, hash);
  },
});

/** The parts of a package.json that the lock repeats. */
const locked = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** All of them. */
export const installDependencies = () => ensureDependencies('dependencies', () => true, []);

/**
 * Those that the service needs, and that build it: a quarter of all, so that `npm start` waits a quarter of the time.
 * Where the others are installed already, they are kept up to date, too.
 */
export const installProduct = () =>
  hasAll() ? installDependencies() : ensureDependencies('product', ({ dev }) => !dev, ['--omit=dev']);

const hasAll = () => existsSync(join(modules, 'tap'));

async function ensureDependencies(name, isWanted, flags) {
  const manifests = ['', ...packageFolders().map(folder => relative(root, folder).replaceAll('\\', '/'))].map(path => ({
    path,
    content: readFileSync(join(root, path, 'package.json'), 'utf8'),
  }));
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = hashOf([...manifests.map(({ path, content }) => [path, content]), ['lock', lockText]]);
  const installed = stamp(name);
  if (installed.fits(hash)) return;
  const lock = JSON.parse(lockText).packages;
  const unlocked = manifests.find(({ path, content }) => !isLocked(JSON.parse(content), lock[path]));
  if (unlocked || !isInstalled(lock, isWanted))
    await install(unlocked && `${unlocked.path || '.'}/package.json`, flags);
  installed.set(hash);
}

/**
 * `npm ci` the first time; later only the changes, so that a service that runs from this clone keeps its files.
 * @param {string | undefined} unlocked a package.json that the lock does not match
 * @param {string[]} flags what npm leaves out
 */
async function install(unlocked, flags) {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', ...flags];
  if (unlocked) {
    const sentence = `package-lock.json does not match ${unlocked}. Run "npm install".`;
    if (process.env.CI) throw new StepError(sentence);
    console.log(sentence);
  } else if (!existsSync(modules) || process.env.CI) {
    await run('Installing the dependencies (once)', npm('ci', ...quiet), npmOptions);
    return;
  }
  await run('Updating the dependencies', npm('install', '--no-save', ...quiet), npmOptions);
}

function isLocked(manifest, entry) {
  const text = dependencies => JSON.stringify(Object.entries(dependencies ?? {}).sort());
  return entry !== undefined && locked.every(field => text(manifest[field]) === text(entry[field]));
}

/** Whether npm's record of node_modules has all that the lock requires on this system. */
function isInstalled(lock, isWanted) {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const have = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(lock).every(([path, wanted]) => {
    if (!path.includes('node_modules/') || !isWanted(wanted)) return true;
    const found = have[path];
    return found
      ? found.version === wanted.version && found.resolved === wanted.resolved
      : wanted.optional || wanted.peer;
  });
}

export const buildProjects = () => build([join(modules, 'typescript', 'bin', 'tsc'), '-b', root]);

/** As `buildProjects`, but where only the product's dependencies are installed, only the product. */
export const buildProduct = () => (hasAll() ? buildProjects() : build([join(root, 'setup', 'transpile.mjs')]));

async function build(program) {
  for (const folder of [...packageFolders(), join(root, 'server', 'web')]) removeStale(folder);
  await run('Building', [process.execPath, ...program]);
}

/** What browsers load, and libraries that are packed as part of a package: see plugins/ocr/README.md. */
export async function bundle() {
  await unlessSame('bundles', bundleInputs, ['clients/web/build', 'server/web/build'], () =>
    run('Bundling', [process.execPath, join(root, 'setup', 'bundles.mjs')]),
  );
  const inputs = ['tesseract.js', 'tesseract.js-core', 'esbuild'].map(name => `node_modules/${name}/package.json`);
  await unlessSame('tesseract', ['plugins/ocr/bundle.mjs', ...inputs], ['plugins/ocr/dist/tesseract/NOTICES.md'], () =>
    run('Bundling tesseract.js', [process.execPath, join(root, 'plugins', 'ocr', 'bundle.mjs')]),
  );
  if (!isServiceBundled())
    await run('Bundling the service', [process.execPath, join(root, 'setup', 'serviceBundle.mjs')]);
}

/** Files, and folders with all that is in them. */
const bundleInputs = [
  'setup/bundles.mjs',
  'setup/componentParts.mjs',
  'clients/web/dist',
  'clients/web/src/component',
  'server/web/dist',
  'node_modules/lit-html/package.json',
  'node_modules/esbuild/package.json',
];

/** Does the work unless it was done from inputs of these sizes and times, and what it makes is still there. */
async function unlessSame(name, inputs, outputs, work) {
  const done = stamp(name);
  const ages = () =>
    hashOf(inputs.flatMap(filesOf).map(path => [path, `${statSync(path).mtimeMs} ${statSync(path).size}`]));
  if (done.fits(ages()) && outputs.every(path => existsSync(join(root, path)))) return;
  await work();
  done.set(ages());
}

/** @returns {string[]} the file, or those below the folder */
function filesOf(path) {
  const whole = join(root, path);
  if (!statSync(whole).isDirectory()) return [whole];
  return readdirSync(whole, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort();
}

/** Drivers' helpers are separate programs: without one, its driver names the fix and everything else works. */
export async function buildNative() {
  const builder = join(root, 'drivers', 'kit', 'bin', 'buildNative.mjs');
  for (const folder of packageFolders()) {
    if (!existsSync(join(folder, 'native', 'binding.gyp'))) continue;
    const { name, scripts, platen } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (!scripts?.['build:native'] || !(platen?.nativeOn ?? [process.platform]).includes(process.platform)) continue;
    try {
      await run(`Building the native helper of ${name}`, [process.execPath, builder], { cwd: folder });
    } catch (error) {
      if (!(error instanceof StepError)) throw error;
      console.error(`Continuing without the native helper of ${name}; the rest of Platen does not need it.`);
    }
  }
}

/** Idempotent: keeps a valid certificate. Changes no trust store. */
export async function makeCertificate() {
  await run('Checking the certificate', [
    process.execPath,
    join(root, 'server', 'bin', 'platen.cjs'),
    'cert',
    'install',
    '--no-trust',
  ]);
}

function hashOf(entries) {
  const hash = createHash('sha256');
  for (const [name, content] of entries) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}
