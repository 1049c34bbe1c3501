/**
 * Compiles the product for `npm start`, where what its tests import is not installed: without checking types, which
 * takes a second. The client alone is built by TypeScript: the service also serves its declarations.
 * A program: `node setup/transpile.mjs`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { build } from 'esbuild';
import { packageFolders } from './projects.mjs';
import { root } from './step.mjs';

const client = join(root, 'clients', 'web');
/** Packages that only tests use. */
const ofTests = [join(root, 'test'), join(root, 'test', 'conformance')];
const isOfTests = file => /\.test\.(?:kit\.)?ts$|\.d\.ts$/.test(file);

async function transpile(folder) {
  const { rootDir, outDir } = JSON.parse(readFileSync(join(folder, 'tsconfig.json'), 'utf8')).compilerOptions;
  const sources = join(folder, rootDir);
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter(
      file => file.endsWith('.ts') && !isOfTests(file) && !/^(?:dist|build|node_modules)$/.test(file.split(sep)[0]),
    )
    .map(file => join(sources, file));
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: files,
    outbase: sources,
    outdir: join(folder, outDir),
    format: 'esm',
    platform: 'node',
    sourcemap: true,
    logLevel: 'warning',
    write: false,
  });
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents);
}

/** What is bundled from the files is made again only when one of them changed. */
function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, contents);
}

execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', client], {
  stdio: 'inherit',
});
const folders = packageFolders().filter(folder => folder !== client && !ofTests.includes(folder));
await Promise.all([...folders, join(root, 'server', 'web')].map(transpile));
