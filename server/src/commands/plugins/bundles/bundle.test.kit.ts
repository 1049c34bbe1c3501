/** Bundles that a test writes file by file, right or wrong. */
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { integrityOf, packageOf, type HashedFile } from './bundleManifest.js';
import { writeTar } from './tar.js';

/** By path. */
export type Files = Readonly<Record<string, string>>;

/** A bundle's package. */
export const facts = (name: string, version = '1.0.0'): string => JSON.stringify({ name, version, exports: './i.js' });

/** What `bundle.json` says of these files; all packages at the top are plugins. */
export function manifestFor(files: Files, more: object = {}): object {
  const paths = Object.keys(files).filter(path => path.endsWith('/package.json'));
  const named = paths.map(path => ({
    path: path.replace('/package.json', ''),
    ...(JSON.parse(files[path]!) as { name: string; version: string }),
  }));
  const own = new Map<string, HashedFile[]>(named.map(({ path }) => [path, []]));
  for (const [path, text] of Object.entries(files)) {
    const owner = packageOf(path, own)!;
    const digest = createHash('sha512').update(text).digest();
    own.get(owner)!.push({ path: path.slice(owner.length + 1), isExecutable: false, digest });
  }
  return {
    format: 1,
    plugins: named
      .filter(({ path, name }) => path === `node_modules/${name}`)
      .map(({ name, version }) => ({ name, version })),
    platforms: ['any'],
    provided: [],
    packages: named.map(({ path, name, version }) => ({ path, name, version, integrity: integrityOf(own.get(path)!) })),
    ...more,
  };
}

export async function tarOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const parts: Buffer[] = [];
  const list = Object.entries(files).map(([path, text]) => {
    const from = Buffer.from(text);
    return { path, size: from.length, isExecutable: false, from };
  });
  for await (const part of writeTar(list)) parts.push(part);
  return Buffer.concat(parts);
}

/** @param manifest replaces that for the files @returns the file */
export async function bundleOf(file: string, files: Files, manifest: object = manifestFor(files)): Promise<string> {
  await writeFile(file, gzipSync(await tarOf({ 'bundle.json': JSON.stringify(manifest), ...files })));
  return file;
}
