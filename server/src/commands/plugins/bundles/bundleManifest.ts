/** `bundle.json`, the first file of a bundle: what it has, for which platforms, and the hash of each package. */
import { createHash } from 'node:crypto';
import { isPackageName, NAME } from '../packageName.js';
import { BundleFault } from './bundleFault.js';
import { isPlatformName } from './platformName.js';

export const MANIFEST = 'bundle.json';

export interface NamedVersion {
  readonly name: string;
  readonly version: string;
}

export interface BundledPackage extends NamedVersion {
  /** `node_modules/@acme/driver/node_modules/part` */
  readonly path: string;
  /** `sha512-…`, over its files and not those of packages inside: {@link integrityOf}. */
  readonly integrity: string;
}

/** A package that the installation had when the bundle was made, and that is therefore not inside. */
export interface Provided extends NamedVersion {
  /** What the dependent accepts: `^0.35.0`. */
  readonly range: string;
  /** The dependent. */
  readonly by: string;
}

export interface BundleManifest {
  readonly format: 1;
  /** They are data for plugins, such as a language, and not plugins. */
  readonly data: boolean;
  readonly plugins: readonly NamedVersion[];
  /** `any`, or names such as `linux-x64`. */
  readonly platforms: readonly string[];
  readonly provided: readonly Provided[];
  readonly packages: readonly BundledPackage[];
}

const packagePath = new RegExp(`^node_modules/${NAME}(?:/node_modules/${NAME})*$`);
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/;

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

const isText: Check = value => typeof value === 'string' && value.length < 1000 && !/\p{Cc}/u.test(value);
const isName: Check = value => isText(value) && isPackageName(value as string);
const matches =
  (form: RegExp): Check =>
  value =>
    isText(value) && form.test(value as string);

/** @throws {BundleFault} */
export function parseManifest(text: string): BundleManifest {
  let fields: Fields | null;
  try {
    fields = JSON.parse(text) as Fields | null;
  } catch (error) {
    throw new BundleFault(`its ${MANIFEST} is not JSON`, { cause: error });
  }
  if (fields?.['format'] !== 1)
    throw new BundleFault(`its ${MANIFEST} has a format that this version of Platen does not know`);
  const { data = false, platforms } = fields;
  if (typeof data !== 'boolean') throw malformed('data');
  if (
    !Array.isArray(platforms) ||
    platforms.length === 0 ||
    !platforms.every(each => isText(each) && isPlatformName(each as string))
  )
    throw malformed('platforms');
  const manifest: BundleManifest = {
    format: 1,
    data,
    platforms: platforms as string[],
    plugins: listIn<NamedVersion>(fields, 'plugins', { name: isName, version: isText }),
    provided: listIn<Provided>(fields, 'provided', { name: isName, version: isText, range: isText, by: isText }),
    packages: listIn<BundledPackage>(fields, 'packages', {
      path: matches(packagePath),
      name: isName,
      version: isText,
      integrity: matches(sha512),
    }),
  };
  const paths = new Set(manifest.packages.map(({ path }) => path));
  if (paths.size !== manifest.packages.length) throw malformed('packages');
  const tops = new Set(manifest.plugins.map(({ name }) => `node_modules/${name}`));
  if (tops.size === 0 || tops.size !== manifest.plugins.length) throw malformed('plugins');
  for (const top of tops) if (!paths.has(top)) throw malformed('plugins');
  for (const path of paths) if (!tops.has(topOf(path)) || !isNestedIn(path, paths)) throw malformed('packages');
  return manifest;
}

const malformed = (key: string): BundleFault => new BundleFault(`"${key}" in its ${MANIFEST} is wrong`);

function listIn<T>(fields: Fields, key: string, checks: Readonly<Record<keyof T & string, Check>>): readonly T[] {
  const list = fields[key];
  if (!Array.isArray(list)) throw malformed(key);
  return (list as readonly (Fields | null)[]).map(each => {
    const entries = Object.entries<Check>(checks).map(([name, check]) => [name, each?.[name], check] as const);
    if (!entries.every(([, value, check]) => check(value))) throw malformed(key);
    return Object.fromEntries(entries) as T;
  });
}

const topOf = (path: string): string => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? path;

function isNestedIn(path: string, paths: ReadonlySet<string>): boolean {
  const outer = path.slice(0, path.lastIndexOf('/node_modules/'));
  return path === topOf(path) || paths.has(outer);
}

export interface HashedFile {
  /** Relative to its package, with `/`. */
  readonly path: string;
  readonly isExecutable: boolean;
  /** SHA-512 of its content. */
  readonly digest: Buffer;
}

/** @param files of one package, in any order */
export function integrityOf(files: readonly HashedFile[]): string {
  const hash = createHash('sha512');
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, isExecutable, digest } of sorted)
    hash.update(`${path}\0${isExecutable ? 'x' : '-'}\0`).update(digest);
  return `sha512-${hash.digest('base64')}`;
}

/** The package that has the file: the innermost one. @returns undefined for a file of none */
export function packageOf(file: string, packages: ReadonlyMap<string, unknown>): string | undefined {
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1))
    if (packages.has(file.slice(0, at))) return file.slice(0, at);
  return undefined;
}

/** Windows' own devices, with or without an extension. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Whether the path is relative, leads nowhere else, and means the same on every system. */
export function isPortable(path: string): boolean {
  return (
    path.length <= 1000 &&
    !/[\\:*?"<>|]|\p{Cc}/u.test(path) &&
    path.split('/').every(part => part !== '' && !/[. ]$/.test(part) && !device.test(part))
  );
}
