/** Where installers take Platen's packages from: the release, from a registry that is started for it. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { npm, npmOptions, root, run } from '../step.mjs';
import { makeTree } from './tree.mjs';

const releaseFolder = join(root, 'setup', 'release');
const cache = join(root, 'node_modules', '.cache', 'platen-installers');

/**
 * Calls `use` with a function that makes an installation folder from the packages of a release: see tree.mjs.
 * @template T
 * @param {string} version
 * @param {(makeTreeOf: (options: { out: string, platform?: NodeJS.Platform, arch?: string }) => Promise<void>) => Promise<T>} use
 * @returns {Promise<T>} what `use` returns
 */
export async function withRelease(version, use) {
  if (!['ensure.mjs', 'registry.mjs'].every(file => existsSync(join(releaseFolder, file))))
    return withPacks(version, use);
  const { ensureRelease } = await import(pathToFileURL(join(releaseFolder, 'ensure.mjs')).href);
  const { startRegistry } = await import(pathToFileURL(join(releaseFolder, 'registry.mjs')).href);
  const { tarballs } = await ensureRelease({ version });
  const folder = join(cache, `registry-${process.pid}`);
  const registry = await startRegistry({ folder });
  try {
    for (const { file } of tarballs) await registry.publish(file);
    return await use(options => makeTree({ ...options, version, registryUrl: registry.url }));
  } finally {
    await registry.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Without the release's tools: the workspaces as npm packs them. */
async function withPacks(version, use) {
  const packs = join(cache, `packs-${process.pid}`);
  mkdirSync(packs, { recursive: true });
  try {
    await run('Packing', npm('pack', '--workspaces', '--silent', '--pack-destination', packs), npmOptions);
    const tarballs = readdirSync(packs)
      .filter(name => !/^platen-(test|conformance)-/.test(name))
      .map(name => join(packs, name));
    return await use(options => makeTree({ ...options, version, tarballs }));
  } finally {
    rmSync(packs, { recursive: true, force: true });
  }
}
