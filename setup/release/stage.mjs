/**
 * Makes the packages that are published: each as a folder that stands alone, and as a tarball. Nothing in the tree changes.
 *
 * A package of the tree is a workspace: it has test exports, links into the repository, compiled files with source maps
 * whose sources are not packed. A staged package has the files that `npm pack` takes from it, and these are completed:
 * package.json by manifest.mjs, the code by bundle.mjs, the documents by documents.mjs, the programs of prebuilt packages by prebuilt.mjs.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { root } from '../step.mjs';
import { bundlePackage, isBundled } from './bundle.mjs';
import { absoluteLinks } from './documents.mjs';
import { packFolders, packedFiles } from './npmPack.mjs';
import { publishedManifest } from './manifest.mjs';
import { addPrebuilt, stagePrebuilt } from './prebuilt.mjs';
import { closureOf } from './closure.mjs';
import { pins } from './pins.mjs';
import { inPublishingOrder, publishable } from './publishable.mjs';

/** The comment that names a source map, at the end of a compiled file. */
const mapComment = /\n\/\/# sourceMappingURL=\S+\s*$/;

/**
 * @param {object} options
 * @param {string} options.out a folder; it is emptied. The packages come into out/packages/<name>, the tarballs into out/tarballs
 * @param {string} [options.version] of all packages: the tree's if it is left out
 * @param {string} [options.helpers] the folder that buildHelpers filled; without it there are no prebuilt packages
 * @returns {Promise<{ tarballs: { name: string, version: string, file: string }[] }>} in an order in which they can be published
 * @throws {Error} that names the package and the file if a package is not complete: a build that is missing, an export or
 *   a bin that is not packed, a link that leads nowhere
 */
export async function stage({ out, version: asked, helpers }) {
  const version = asked ?? JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')).version;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(join(out, 'tarballs'), { recursive: true });
  const place = name => join(out, 'packages', ...name.split('/'));

  const packages = publishable();
  const packed = await packedFiles(packages.map(each => each.folder));
  const prebuilt = helpers === undefined ? [] : stagePrebuilt({ packages, helpers, version, place });
  const staged = [];
  const libraries = new Map();
  for (const { folder, manifest } of packages) {
    const files = packed.get(manifest.name);
    if (!files) throw new Error(`npm packs nothing of ${manifest.name}.`);
    const to = place(manifest.name);
    copyFiles({ folder, files, to, version });
    let complete = addPrebuilt(publishedManifest({ manifest, folder, files, version }), prebuilt);
    if (isBundled(manifest)) {
      const bundled = await bundlePackage({ source: folder, staged: to, manifest: complete });
      complete = bundled.manifest;
      libraries.set(pathOf(folder), bundled.libraries);
    }
    staged.push(complete);
  }
  for (const manifest of staged) {
    if (manifest.name === '@platen/server') {
      manifest.dependencies = { ...pins(closureOf('server', undefined, libraries)), ...manifest.dependencies };
    }
    writeManifest(place(manifest.name), manifest);
  }

  const all = inPublishingOrder([...prebuilt.map(each => each.manifest), ...staged]);
  const tarballs = await packFolders(
    all.map(({ name }) => place(name)),
    join(out, 'tarballs'),
  );
  return { tarballs: tarballs.map(({ name, version: as, file }) => ({ name, version: as, file })) };
}

const pathOf = folder => relative(root, folder).split(sep).join('/');

/** Copies what is packed, without source maps, with the LICENSE and with links that resolve. */
function copyFiles({ folder, files, to, version }) {
  const path = pathOf(folder);
  for (const file of files.filter(each => !each.endsWith('.map') && each !== 'package.json')) {
    const [source, target] = [join(folder, file), join(to, file)];
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
    if (file.endsWith('.js')) rewrite(target, text => text.replace(mapComment, '\n'));
    if (file.endsWith('.md')) {
      rewrite(target, text => absoluteLinks({ text, from: `${path}/${file}`, folder: path, files, version }));
    }
  }
  copyFileSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
}

function rewrite(file, change) {
  const text = readFileSync(file, 'utf8');
  const changed = change(text);
  if (changed !== text) writeFileSync(file, changed);
}

/** @param {string} folder @param {Record<string, any>} manifest */
function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
