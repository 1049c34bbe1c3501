/** Unpacks a bundle into a new folder, and accepts it only if every file is the one that was packed. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCode } from '../../../machine/configError.js';
import { BundleFault } from './bundleFault.js';
import {
  integrityOf,
  isPortable,
  MANIFEST,
  packageOf,
  parseManifest,
  type BundleManifest,
  type HashedFile,
} from './bundleManifest.js';
import { byteReader } from './byteReader.js';
import { readTar, type TarEntry } from './tar.js';

/** A small file may unpack to any size. */
export interface BundleLimits {
  /** Bytes of all that it unpacks to. */
  readonly total: number;
  /** Bytes of one file. */
  readonly file: number;
  readonly files: number;
}
const usual: BundleLimits = { total: 2 ** 31, file: 2 ** 29, files: 200_000 };
const MOST_MANIFEST = 16 * 1024 * 1024;

export interface Unpacked {
  readonly manifest: BundleManifest;
  /** Of the file, in hexadecimal. */
  readonly sha512: string;
}

/** Whether its first file is a bundle's. False for what cannot be read: others say why. */
export async function isBundle(file: string): Promise<boolean> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) return false;
  const unpacked = pipeline(createReadStream(file), createGunzip(), () => undefined);
  try {
    const { value } = await readTar(byteReader(unpacked, 1024 * 1024)).next();
    return (value as TarEntry | undefined)?.path === MANIFEST;
  } catch {
    return false;
  } finally {
    unpacked.destroy();
  }
}

/**
 * @param into a folder; the packages are below its `node_modules`
 * @param accept throws if the bundle is not for this computer; nothing is unpacked then
 * @throws Error with the fix for a file that is torn, was changed, or leads elsewhere; `into` is then of no use
 */
export async function unpackBundle(
  file: string,
  into: string,
  accept: (manifest: BundleManifest) => Promise<void>,
  limits: BundleLimits = usual,
): Promise<Unpacked> {
  const whole = createHash('sha512');
  const source = createReadStream(file);
  source.on('data', part => whole.update(part));
  const unpacked = pipeline(source, createGunzip(), () => undefined);
  try {
    const manifest = await unpackAll(readTar(byteReader(unpacked, limits.total)), into, accept, limits);
    return { manifest, sha512: whole.digest('hex') };
  } catch (error) {
    const code = systemCode(error);
    const isTorn = code?.startsWith('Z_') === true;
    if (!isTorn && !(error instanceof BundleFault)) throw error;
    const why = isTorn ? 'it is torn or was changed' : (error as Error).message;
    throw new Error(
      `The bundle ${file} was refused, and nothing was changed: ${why}. Copy it again, or make it again with "platen plugins pack".`,
      { cause: error },
    );
  } finally {
    unpacked.destroy();
  }
}

async function unpackAll(
  entries: AsyncGenerator<TarEntry>,
  into: string,
  accept: (manifest: BundleManifest) => Promise<void>,
  limits: BundleLimits,
): Promise<BundleManifest> {
  const { value: first } = (await entries.next()) as { value?: TarEntry };
  if (first?.path !== MANIFEST || first.size > MOST_MANIFEST)
    throw new BundleFault(`it does not begin with ${MANIFEST}`);
  const parts: Buffer[] = [];
  for await (const part of first.content()) parts.push(part);
  const manifest = parseManifest(Buffer.concat(parts).toString('utf8'));
  await accept(manifest);
  const files = new Map<string, HashedFile[]>(manifest.packages.map(({ path }) => [path, []]));
  const seen = new Set<string>();
  for await (const entry of entries) {
    const { path, size, isExecutable } = entry;
    const shown = JSON.stringify(path);
    if (!isPortable(path)) throw new BundleFault(`the path ${shown} in it may lead out of its folder`);
    if (size > limits.file || seen.size >= limits.files)
      throw new BundleFault(`${shown} in it is too large, or one file too many`);
    // Windows and macOS take both for one file.
    const same = path.normalize('NFC').toLowerCase();
    if (seen.has(same)) throw new BundleFault(`${shown} is in it twice`);
    seen.add(same);
    const owner = packageOf(path, files);
    if (owner === undefined) throw new BundleFault(`${shown} in it is of a package without a hash`);
    const digest = await writeFile(join(into, ...path.split('/')), entry);
    files.get(owner)!.push({ path: path.slice(owner.length + 1), isExecutable, digest });
  }
  for (const { path, name, version, integrity } of manifest.packages)
    if (integrityOf(files.get(path)!) !== integrity)
      throw new BundleFault(`the files of ${name} ${version} in it are not those that were packed`);
  return manifest;
}

/** @returns its SHA-512 */
async function writeFile(to: string, { content, isExecutable }: TarEntry): Promise<Buffer> {
  const hash = createHash('sha512');
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    const handle = await open(to, 'wx', isExecutable ? 0o755 : 0o644);
    try {
      for await (const part of content()) {
        hash.update(part);
        await handle.appendFile(part);
      }
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR')
      throw new BundleFault(`a file and a folder in it have one name`, { cause: error });
    throw error;
  }
  return hash.digest();
}
