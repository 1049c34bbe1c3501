/** What is checked of tarballs before a registry gets them: what one names is in it, and programs have their hashes. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { StepError } from '../step.mjs';
import { filesOf } from './tarball.mjs';

/**
 * @param {readonly { name: string, version: string, file: string }[]} tarballs of one release
 * @throws {StepError} naming each fault
 */
export function checkTarballs(tarballs) {
  const packages = new Map(tarballs.map(({ name, file }) => [name, contentOf(file)]));
  const faults = [...packages].flatMap(([name, { files, manifest }]) => [
    ...missingFiles(files, manifest).map(file => `${name} names ${file}, which is not in its archive.`),
    ...missingImports(files).map(({ from, to }) => `${name}: ${from} imports ${to}, which is not in its archive.`),
    ...wrongPrograms(manifest, packages).map(fault => `${name}: ${fault}`),
  ]);
  if (faults.length > 0) throw new StepError(faults.join('\n'));
}

function contentOf(file) {
  const files = filesOf(readFileSync(file));
  const manifest = files.get('package.json');
  if (!manifest) throw new StepError(`${file} has no package.json.`);
  return { files, manifest: JSON.parse(manifest.toString('utf8')) };
}

function missingFiles(files, { imports, exports, bin, main, types }) {
  const named = [imports, exports, bin, main, types].flatMap(pathsIn).map(path => path.replace(/^\.\//, ''));
  return ['LICENSE', 'README.md', ...named].filter(path => !path.includes('*') && !files.has(path));
}

function pathsIn(value) {
  if (typeof value === 'string') return [value];
  return Object.values(value ?? {}).flatMap(pathsIn);
}

/** Relative imports and scripts of workers of files that Node runs; those of web pages are the service's own routes. */
function missingImports(files) {
  const imported =
    /^\s*(?:import|export)\b[^'"`;]*?from\s*['"](\.[^'"]+\.[cm]?js)['"]|\bimport\(\s*['"](\.[^'"]+\.[cm]?js)['"]\s*\)/gm;
  const script = /\bnew URL\('([^']+\.[cm]?js)', import\.meta\.url\)/g;
  // Bundled code names the place that it was compiled to.
  const bundledScript = /\bnew URL\("([^"]+\.[cm]?js)", new URL\("([^"]+)", import\.meta\.url\)\.href\)/g;
  return [...files]
    .filter(([name]) => /\.[cm]?js$/.test(name) && !name.startsWith('web/'))
    .flatMap(([from, content]) => {
      const text = content.toString('utf8');
      return [...text.matchAll(imported), ...text.matchAll(script), ...text.matchAll(bundledScript)]
        .map(([, ...found]) => {
          const [to, place = ''] = found.filter(Boolean);
          return new URL(to, new URL(place, `file:///${from}`)).pathname.slice(1);
        })
        .filter(to => !files.has(decodeURIComponent(to)))
        .map(to => ({ from, to }));
    });
}

/** @returns what is wrong with the prebuilt packages that a package names: see docs/native-helpers.md */
function wrongPrograms({ platen }, packages) {
  return Object.entries(platen?.prebuilt ?? {}).flatMap(([platform, { package: name, sha256 }]) => {
    const prebuilt = packages.get(name);
    if (!prebuilt) return [`${name} for ${platform} is not in this release.`];
    return Object.entries(sha256)
      .filter(([program, hash]) => hashOf(prebuilt.files.get(`bin/${program}`)) !== hash)
      .map(([program]) => `the hash of ${program} is not that of the file in ${name}.`);
  });
}

function hashOf(content) {
  return content && createHash('sha256').update(content).digest('hex');
}
