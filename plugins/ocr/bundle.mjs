/** Bundles tesseract.js's worker script and the engines that it may load into `dist/tesseract/`, with their licences. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, 'dist', 'tesseract');
const require = createRequire(import.meta.url);

/** Private paths of tesseract.js and tesseract.js-core: see `workerScript` in src/wasmEngine.ts. */
const entry = require.resolve('tesseract.js/src/worker-script/node/index.js');
const engines = dirname(createRequire(entry).resolve('tesseract.js-core/package.json'));

/** The engines of the neural network alone, one for each level of SIMD. The worker script takes the best one. */
const cores = ['tesseract-core-lstm', 'tesseract-core-simd-lstm', 'tesseract-core-relaxedsimd-lstm'];

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: [entry],
  outfile: join(out, 'worker.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  metafile: true,
  // Required only if there is no global fetch.
  external: ['node-fetch'],
  plugins: [
    {
      name: 'engines beside the script',
      setup({ onResolve }) {
        onResolve({ filter: /^tesseract\.js-core\// }, ({ path }) => ({
          path: `./${path.slice('tesseract.js-core/'.length)}.cjs`,
          external: true,
        }));
      },
    },
  ],
});
for (const core of cores) {
  // This package's own .js files are ES modules.
  await copyFile(join(engines, `${core}.js`), join(out, `${core}.cjs`));
  await copyFile(join(engines, `${core}.wasm`), join(out, `${core}.wasm`));
}

const folders = new Set([...Object.keys(metafile.inputs).map(folderOf), engines]);
const notices = await Promise.all([...folders].sort().map(notice));
await writeFile(
  join(out, 'NOTICES.md'),
  `# Notices\n\nThis folder is made from these packages.\n\n${notices.join('\n')}`,
);

/** @param {string} input a file, relative to this package's folder */
function folderOf(input) {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
  return join(here, folder ?? '.');
}

/** @param {string} folder a package's */
async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find(each => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} ${version} has no licence file`);
  const text = await readFile(join(folder, file), 'utf8');
  return `## ${name} ${version} (${license})\n\n\`\`\`text\n${text.trimEnd()}\n\`\`\`\n`;
}
