/** Packages of prebuilt programs, one per platform, and what the package that starts them says about them. */
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from '../step.mjs';
import { absoluteLinks } from './documents.mjs';
import { ordered } from './manifest.mjs';
import { prebuiltOf } from './publishable.mjs';
import { author, gitUrl, webUrl } from './repository.mjs';

/**
 * Fills the folders of the prebuilt packages whose programs were built.
 * @param {object} options
 * @param {{ folder: string, manifest: Record<string, any> }[]} options.packages
 * @param {string} options.helpers the folder that buildHelpers filled: `<name without @platen/>/bin/<program>`
 * @param {string} options.version
 * @param {(name: string) => string} options.place
 * @returns {{ parent: string, manifest: Record<string, any>, sha256: Record<string, string> }[]}
 */
export function stagePrebuilt({ packages, helpers, version, place }) {
  return packages.flatMap(({ folder, manifest: { name: parent } }) =>
    prebuiltOf(folder).flatMap(({ folder: source, manifest }) => {
      const bin = join(helpers, manifest.name.replace('@platen/', ''), 'bin');
      if (!existsSync(bin)) return [];
      return [{ parent, ...stageOne({ source, manifest, bin, version, to: place(manifest.name) }) }];
    }),
  );
}

function stageOne({ source, manifest, bin, version, to }) {
  const path = relative(root, source).split(sep).join('/');
  mkdirSync(join(to, 'bin'), { recursive: true });
  const programs = readdirSync(bin).sort();
  if (programs.length === 0) throw new Error(`${manifest.name}: no program was built into ${bin}.`);
  for (const program of programs) {
    copyFileSync(join(bin, program), join(to, 'bin', program));
    chmodSync(join(to, 'bin', program), 0o755);
  }
  const documents = readdirSync(source).filter(each => each.endsWith('.md'));
  for (const document of documents) {
    const text = readFileSync(join(source, document), 'utf8');
    const place = { from: `${path}/${document}`, folder: path, files: documents };
    writeFileSync(join(to, document), absoluteLinks({ text, ...place, version }));
  }
  copyFileSync(join(root, 'LICENSE'), join(to, 'LICENSE'));

  const { scripts: _, files: __, private: ___, platen, ...rest } = manifest;
  // What it is built from says nothing to whoever installs it.
  const { builds: ____, ...said } = platen ?? {};
  const complete = ordered({
    ...rest,
    version,
    author,
    homepage: `${webUrl}/tree/v${version}/${path}#readme`,
    bugs: `${webUrl}/issues`,
    repository: { type: 'git', url: gitUrl, directory: path },
    type: 'module',
    publishConfig: { access: 'public' },
    ...(Object.keys(said).length > 0 && { platen: said }),
  });
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`);
  const hashes = programs.map(program => [program, sha256(readFileSync(join(bin, program)))]);
  return { manifest: complete, sha256: Object.fromEntries(hashes) };
}

const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');

/**
 * @param {Record<string, any>} manifest a published package's
 * @param {ReturnType<typeof stagePrebuilt>} prebuilt of all packages
 * @returns {Record<string, any>} the manifest, which names its prebuilt packages and the sha256 of their programs, by platform:
 *   `${process.platform}-${process.arch}`
 */
export function addPrebuilt(manifest, prebuilt) {
  const own = prebuilt.filter(each => each.parent === manifest.name);
  if (own.length === 0) return manifest;
  const { platen, optionalDependencies } = manifest;
  const versions = own.map(each => [each.manifest.name, each.manifest.version]);
  return ordered({
    ...manifest,
    optionalDependencies: { ...optionalDependencies, ...Object.fromEntries(versions) },
    platen: { ...platen, prebuilt: Object.fromEntries(own.flatMap(byPlatform)) },
  });
}

/** @param {ReturnType<typeof stagePrebuilt>[number]} prebuilt */
function byPlatform({ manifest: { name, os, cpu }, sha256: hashes }) {
  return os.flatMap((/** @type {string} */ system) =>
    cpu.map((/** @type {string} */ arch) => [`${system}-${arch}`, { package: name, sha256: hashes }]),
  );
}
