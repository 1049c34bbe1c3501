/**
 * Bundles the compiled files that browsers load, so that each script is one file: the client module, and the scripts of
 * the service's pages. A program: `node setup/bundles.mjs`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { styleSheets, withoutDocument } from './componentParts.mjs';
import { root } from './step.mjs';

/** @type {import('esbuild').BuildOptions & { write: false }} */
const common = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  // Only libraries have any; their licences require them, in a file beside the script.
  legalComments: 'external',
  write: false,
  logLevel: 'warning',
};

/** @returns {Promise<Map<string, Uint8Array>>} by path, what the folder `clients/web/build` must hold */
async function client(out) {
  const from = join(root, 'clients', 'web', 'dist');
  // The module finds the service by its own address: see clients/web/src/client/service.ts.
  const served = { ...common, outdir: out, define: { servedByPlaten: 'true' } };
  // Apart from each other: `client.js` imports nothing. The component's style sheets are only in the source.
  const component = join(root, 'clients', 'web', 'src', 'component.ts');
  const files = filesOf(
    await build({ ...served, entryPoints: [join(from, 'client.js')] }),
    await build({
      ...served,
      entryPoints: [component],
      splitting: true,
      chunkNames: 'component/[name]-[hash]',
      plugins: [styleSheets, withoutDocument],
    }),
  );
  // Its licence asks for the whole text in what is passed on.
  const licence = readFileSync(join(root, 'node_modules', 'lit-html', 'LICENSE'));
  return files.set(join(out, 'component', 'LICENSE-lit-html.txt'), licence);
}

/** @returns the same for `server/web/build` */
async function pages(out) {
  const from = join(root, 'server', 'web', 'dist');
  const page = (name, ...scripts) =>
    build({
      ...common,
      outdir: join(out, name),
      entryPoints: scripts.map(script => join(from, name, script)),
      splitting: true,
      chunkNames: '[name]-[hash]',
    });
  return filesOf(
    await page('app', 'main.js'),
    await page('origins', 'main.js'),
    await page('reference', 'page.js'),
    await page('settings', 'main.js'),
  );
}

const filesOf = (...results) =>
  new Map(results.flatMap(({ outputFiles }) => outputFiles.map(({ path, contents }) => [path, contents])));

/** Writes what changed and removes the rest: a service that starts meanwhile finds whole files. */
function settle(out, files) {
  mkdirSync(out, { recursive: true });
  for (const [path, contents] of files) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents);
  }
  for (const entry of readdirSync(out, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !files.has(path)) rmSync(path);
  }
}

for (const { folder, bundle } of [
  { folder: 'clients', bundle: client },
  { folder: 'server', bundle: pages },
]) {
  const out = join(root, folder, 'web', 'build');
  settle(out, await bundle(out));
}
