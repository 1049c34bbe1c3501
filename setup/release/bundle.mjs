/**
 * The code of a published package, bundled: one file for each of its entries, with what several of them need in shared
 * ones. The libraries of others that it is made with are in it, but for those that have files beside them. A service
 * then starts from some 60 files instead of 700, and an installation brings 10 packages of others instead of 90: see
 * docs/decisions/0042-bundled-packages.md.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { condition } from '../serviceBundle.mjs';
import { root } from '../step.mjs';

/** They load native code or WebAssembly from files of their own. */
const apart = ['sharp', 'zxing-wasm'];

/** CommonJS libraries require Node's own modules. */
const requireBanner =
  "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);\n";

/** The script of a worker or a process, as our sources name it. */
const script = /new URL\('([^']+\.js)', import\.meta\.url\)/g;
/** What a file beside the compiled ones imports of them. */
const imported = /['"](\.[^'"]*\/dist\/[^'"]+\.js)['"]/g;
/** A library that is loaded at its first use: core/src/work/lateRequire.ts. */
const late = /\blateRequire\('([^']+)', import\.meta\.url\)/g;
const typesImport = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;

/** @returns whether a package's code is bundled: it is part of the service, whose bundle in a clone has it, too */
export const isBundled = ({ exports = {}, imports = {} }) =>
  Object.values({ ...exports, ...imports }).some(target => target[condition] !== undefined);

/**
 * Replaces `dist` of a staged package by its bundle; types that no export reaches go, too.
 * @param {object} options
 * @param {string} options.source the package's folder in the tree, built
 * @param {string} options.staged its folder as it is published
 * @param {Record<string, any>} options.manifest as it is published
 * @returns {Promise<{ manifest: Record<string, any>, libraries: string[] }>} the manifest without the libraries that are
 *   in the bundle now, and the folders of these, relative to the root
 * @throws {Error} if an import cannot be resolved, or an exported type needs a library that is bundled
 */
export async function bundlePackage({ source, staged, manifest }) {
  const files = filesBelow(staged);
  const { build } = await import('esbuild');
  const { outputFiles, metafile } = await build({
    absWorkingDir: source,
    entryPoints: entriesOf(staged, files, manifest).map(file => ({ in: file, out: file.slice(0, -'.js'.length) })),
    outdir: source,
    chunkNames: 'dist/shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@platen/*', ...apart],
    banner: { js: requireBanner },
    legalComments: 'none',
    write: false,
    metafile: true,
    logLevel: 'warning',
    plugins: [withPlaces(source)],
  });
  for (const file of files.filter(isCompiled)) rmSync(join(staged, file));
  for (const { path, text } of outputFiles) {
    const file = portable(relative(source, path));
    mkdirSync(dirname(join(staged, file)), { recursive: true });
    writeFileSync(join(staged, file), placed(text, file));
  }
  const libraries = librariesOf(Object.keys(metafile.inputs).map(path => portable(relative(root, join(source, path)))));
  writeNotices(join(staged, 'THIRD-PARTY-NOTICES.txt'), libraries);
  const bundled = new Set(libraries.map(nameOf));
  const { dependencies = {}, ...rest } = manifest;
  const left = Object.fromEntries(Object.entries(dependencies).filter(([name]) => !bundled.has(name)));
  removeTypes(staged, files, { exports: manifest.exports, bundled });
  removeEmpty(join(staged, 'dist'));
  return { manifest: { ...rest, ...(Object.keys(left).length > 0 && { dependencies: left }) }, libraries };
}

const isCompiled = file => /^dist\/.*\.js$/.test(file);
const portable = path => path.split(sep).join('/');
const nameOf = folder => folder.replace(/^.*node_modules\//, '');

/** @returns {string[]} the files that an `exports` or `imports` field names */
const targets = field =>
  (typeof field === 'string' ? [field] : Object.values(field).flatMap(targets)).map(file => posix.normalize(file));

const filesBelow = folder =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => portable(relative(folder, join(each.parentPath, each.name))));

/** @returns {string[]} what is started or imported from outside: by exports, as a worker or a process, or by a file beside `dist` */
function entriesOf(staged, files, { exports = {}, imports = {} }) {
  const named = [...targets(exports), ...targets(imports)].filter(isCompiled);
  const within = (from, pattern) =>
    [...readFileSync(join(staged, from), 'utf8').matchAll(pattern)].map(([, to]) =>
      posix.join(posix.dirname(from), to),
    );
  const scripts = files.filter(isCompiled).flatMap(file => within(file, script));
  const beside = files.filter(file => /^bin\/.*\.[cm]?js$/.test(file)).flatMap(file => within(file, imported));
  return [...new Set([...named, ...scripts, ...beside])].sort();
}

/** Each file finds the files of its package from where it was compiled to, wherever its code is now. */
const withPlaces = source => ({
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]dist[/\\].*\.js$/ }, ({ path }) => {
      if (path.includes(`${sep}node_modules${sep}`)) return undefined;
      const place = JSON.stringify(portable(relative(source, path)));
      const contents = readFileSync(path, 'utf8')
        .replaceAll(late, (all, name) => (apart.includes(name) ? all : `(() => require('${name}'))`))
        .replaceAll('import.meta.url', `platenPlace(${place})`);
      return { contents, loader: 'js' };
    });
  },
});

/** @returns the text of a bundle's file, in which places are relative to the file */
const placed = (text, file) =>
  text.replaceAll(/\bplatenPlace\("([^"]+)"\)/g, (_, place) => {
    const to = posix.relative(posix.dirname(file), place);
    return `new URL(${JSON.stringify(to.startsWith('.') ? to : `./${to}`)}, import.meta.url).href`;
  });

/** @returns {string[]} the folders of the packages of others that these files are of, relative to the root */
const librariesOf = inputs => {
  const folders = inputs.map(path => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter(folder => folder !== undefined))].sort();
};

/** Their licences ask that whoever passes the code on passes these texts on. */
function writeNotices(file, libraries) {
  if (libraries.length === 0) return;
  const notices = libraries.map(folder => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const texts = readdirSync(join(root, folder))
      .filter(each => /^(licen[cs]e|notice|copying)([-.].*)?$/i.test(each))
      .sort()
      .map(each => readFileSync(join(root, folder, each), 'utf8').trim());
    const owner = typeof author === 'string' ? author : (author?.name ?? 'its authors');
    const text = texts.length > 0 ? texts.join('\n\n') : `Copyright ${owner}. Its package has no text of the licence.`;
    return `${name} ${version} (${license})\n\n${text}`;
  });
  writeFileSync(
    file,
    `The code of this package contains these libraries.\n\n${notices.join(`\n\n${'-'.repeat(78)}\n\n`)}\n`,
  );
}

/** Types that no export reaches describe files that are not there. */
function removeTypes(staged, files, { exports, bundled }) {
  const reached = new Set();
  const waiting = targets(exports).filter(file => file.endsWith('.d.ts'));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const [, to] of readFileSync(join(staged, path), 'utf8').matchAll(typesImport)) {
      if (to.startsWith('.')) waiting.push(posix.join(posix.dirname(path), to.replace(/\.js$/, '.d.ts')));
      else if (bundled.has(to)) throw new Error(`${path} has types of ${to}, which is bundled.`);
    }
  }
  for (const file of files) {
    if (/^dist\/.*\.d\.ts$/.test(file) && !reached.has(file)) rmSync(join(staged, file));
  }
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
