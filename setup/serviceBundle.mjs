/**
 * Bundles the service of this clone, so that a start reads some dozen files instead of 600: the server, core, and each of
 * our plugins and drivers stay packages with entries of their own, and what several of them need is in shared files.
 * Node takes the bundle where it is started with `--conditions=platen-bundle`, which package.json names in "exports":
 * one condition for all packages, so a vendor's plugin meets the same core as the server.
 * Worker threads and processes of isolated plugins are started without it, and run the compiled files. It is not published.
 * A program: `node setup/serviceBundle.mjs`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageFolders } from './projects.mjs';
import { root } from './step.mjs';

/** The condition of `exports` and `imports`. */
export const condition = 'platen-bundle';

/** What the bundle was made from. `test/topology/serviceBundle.ts` reads it, too. */
const recordFile = join(root, 'server', 'bundle', 'inputs.json');

/** A bundle depends on them, too. */
const besides = [fileURLToPath(import.meta.url), join(root, 'package-lock.json')];

/** They have files beside them that they load: native code, WebAssembly; the client is for browsers. */
const external = ['sharp', 'zxing-wasm', '@platen/client'];

/** CommonJS libraries require Node's own modules. */
const banner =
  "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);\n";

/** @returns whether the bundle is what would be made now */
export function isServiceBundled() {
  const record = readRecord();
  return record !== undefined && isCurrent(record);
}

/** Makes the bundle if a file that it was made from has changed. */
async function bundleService() {
  if (isServiceBundled()) return;
  // The set-up reads the condition before it installs this.
  const { build } = await import('esbuild');
  const folders = packageFolders();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: folders.flatMap(entriesOf),
    outdir: root,
    chunkNames: 'server/bundle/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external,
    banner: { js: banner },
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [placesKept],
  });
  const inputs = [
    ...Object.keys(metafile.inputs).map(path => join(root, path)),
    ...folders.map(folder => join(folder, 'package.json')),
    ...besides,
  ].filter(path => !relative(root, path).startsWith('node_modules'));
  settle(outputFiles, {
    root,
    inputs: Object.fromEntries(inputs.map(path => [portable(path), stateOf(path)])),
    outputs: outputFiles.map(({ path }) => portable(path)),
    before: readRecord()?.outputs ?? [],
  });
}

/** @returns esbuild's entry points: the files of a package that have the condition */
function entriesOf(folder) {
  const { exports = {}, imports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [...Object.values(exports), ...Object.values(imports)]
    .filter(target => target?.[condition] !== undefined)
    .map(target => ({
      in: join(folder, target.default),
      out: portable(join(folder, target[condition])).replace(/\.js$/, ''),
    }));
}

/** Each file finds the files of its package from where it was compiled to, wherever its code is now. */
const placesKept = {
  name: 'places-kept',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]dist[/\\].*\.js$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const place = JSON.stringify(pathToFileURL(path).href);
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', place), loader: 'js' };
    });
  },
};

function readRecord() {
  return existsSync(recordFile) ? JSON.parse(readFileSync(recordFile, 'utf8')) : undefined;
}

function isCurrent({ root: made, inputs, outputs }) {
  return (
    made === root &&
    Object.entries(inputs).every(([path, state]) => stateOf(join(root, path)) === state) &&
    outputs.every(path => existsSync(join(root, path)))
  );
}

function stateOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs} ${found.size}` : '';
}

const portable = path => relative(root, path).split(sep).join('/');

/**
 * Shared files come first, entries and the record last, each file whole. What the bundle before had stays until the next
 * one: a service that runs from it still loads some of it late.
 */
function settle(files, record) {
  const isShared = path => dirname(path) === dirname(recordFile) && !/[/\\]main\.js$/.test(path);
  const [shared, entries] = [files.filter(({ path }) => isShared(path)), files.filter(({ path }) => !isShared(path))];
  for (const { path, contents } of [...shared, ...entries]) write(path, contents);
  write(recordFile, JSON.stringify(record));
  const kept = new Set([...record.outputs, ...record.before]);
  for (const name of readdirSync(dirname(recordFile))) {
    const path = join(dirname(recordFile), name);
    if (path !== recordFile && !kept.has(portable(path))) rmSync(path);
  }
}

function write(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(contents))) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, contents);
  renameSync(`${path}.new`, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleService();
