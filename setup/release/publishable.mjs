/** The packages of this clone that are published, and the order in which a registry can take them. */
import { readdirSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../projects.mjs';

/** @param {string} [clone] @returns {{ folder: string, manifest: Record<string, any> }[]} the workspaces of a clone, by default this one, that are not private */
export function publishable(clone = undefined) {
  return packageFolders(clone)
    .map(read)
    .filter(({ manifest }) => manifest.private !== true);
}

/** @returns {{ folder: string, manifest: Record<string, any> }[]} the prebuilt packages of a package's folder: see docs/native-helpers.md */
export function prebuiltOf(folder) {
  const prebuilt = join(folder, 'prebuilt');
  if (!existsSync(prebuilt)) return [];
  return readdirSync(prebuilt)
    .sort()
    .map(platform => join(prebuilt, platform))
    .filter(each => existsSync(join(each, 'package.json')))
    .map(read);
}

function read(folder) {
  return { folder, manifest: JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) };
}

/**
 * @param {Record<string, any>[]} manifests
 * @returns {Record<string, any>[]} each after those of them that it needs; the server, the one that people install, last
 */
export function inPublishingOrder(manifests) {
  const byName = new Map(manifests.map(each => [each.name, each]));
  const ordered = new Set();
  const visit = manifest => {
    if (ordered.has(manifest)) return;
    const { dependencies, optionalDependencies, peerDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      if (byName.has(name)) visit(byName.get(name));
    }
    ordered.add(manifest);
  };
  const server = byName.get('@platen/server');
  for (const manifest of manifests) if (manifest !== server) visit(manifest);
  if (server !== undefined) visit(server);
  return [...ordered];
}
