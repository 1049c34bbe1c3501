/** The manifest of a packed package, read without unpacking the rest. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCode } from '../../machine/configError.js';
import { byteReader } from './bundles/byteReader.js';
import { isPackageName } from './packageName.js';

export interface PackedManifest {
  readonly name: string;
  /** The versions of the dependencies that are not in the file, by name. */
  readonly needs: ReadonlyMap<string, string>;
}

type Fields = Readonly<
  Partial<Record<'name' | 'dependencies' | 'bundleDependencies' | 'bundledDependencies', unknown>>
>;

/** tar: https://www.gnu.org/software/tar/manual/html_node/Standard.html. Blocks, a header before each file. */
const BLOCK = 512;
/** What is unpacked in search of the manifest, and the manifest itself: a small file may unpack to any size. */
const MOST_UNPACKED = 256 * 1024 * 1024;
const MOST_MANIFEST = 1024 * 1024;

/**
 * @param most how many bytes are unpacked before it gives up
 * @throws Error with the fix if there is no such file, or it is not a package
 */
export async function packedManifest(file: string, most = MOST_UNPACKED): Promise<PackedManifest> {
  const refuse = (error: unknown): never => {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new Error(`There is no file ${file}.`, { cause: error });
    throw new Error(
      code === undefined || code.startsWith('Z_')
        ? `The file ${file} is not a package: make one with "npm pack".`
        : `The file ${file} cannot be read (${code}).`,
      { cause: error },
    );
  };
  const isRegular = await stat(file).then(found => found.isFile(), refuse);
  if (!isRegular) throw new Error(`${file} is not a regular file.`);
  const unpacked = pipeline(createReadStream(file), createGunzip(), () => undefined);
  try {
    return (await firstManifest(unpacked)) ?? refuse(undefined);
  } finally {
    unpacked.destroy();
  }

  async function firstManifest(tar: AsyncIterable<Buffer>): Promise<PackedManifest | undefined> {
    const bytes = byteReader(tar, most);
    for (;;) {
      const header = await bytes.take(BLOCK).catch(refuse);
      if (!header) return undefined;
      const text = (from: number, length: number): string =>
        header.toString('utf8', from, from + length).split('\0')[0] ?? '';
      const size = Number.parseInt(text(124, 12), 8) || 0;
      const padded = Math.ceil(size / BLOCK) * BLOCK;
      if (/^[^/]+\/package\.json$/.test(text(0, 100)) && size <= MOST_MANIFEST) {
        const content = await bytes.take(padded).catch(refuse);
        const manifest = content && manifestIn(content.toString('utf8', 0, size));
        if (manifest) return manifest;
      } else if (!(await bytes.skip(padded).catch(refuse))) return undefined;
    }
  }
}

function manifestIn(text: string): PackedManifest | undefined {
  try {
    const { name, dependencies, bundleDependencies, bundledDependencies } = JSON.parse(text) as Fields;
    if (typeof name !== 'string' || !isPackageName(name)) return undefined;
    const needed = typeof dependencies === 'object' && dependencies !== null ? Object.entries(dependencies) : [];
    const bundled = bundleDependencies ?? bundledDependencies ?? [];
    const isBundled = (each: string): boolean => bundled === true || [bundled].flat().includes(each);
    return { name, needs: new Map(needed.filter(([each]) => !isBundled(each)).map(([each, v]) => [each, String(v)])) };
  } catch {
    return undefined;
  }
}
