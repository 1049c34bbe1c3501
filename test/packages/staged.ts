/** The packages as they are published, made once for all tests. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadParts } from '../tools/releaseParts.js';
import { clone } from './clone.js';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly repository: { readonly url: string; readonly directory: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly os?: readonly string[];
  readonly platen?: {
    readonly prebuilt?: Readonly<Record<string, { package: string; sha256: Readonly<Record<string, string>> }>>;
  };
}

export interface Staged {
  readonly manifest: Manifest;
  /** The folder that was packed. */
  readonly folder: string;
  readonly tarball: Uint8Array;
  /** The tarball's files, relative to the package, with `/`. */
  readonly files: readonly string[];
  read(file: string): string;
  /** As attw has it, in `/node_modules/NAME/`. */
  readonly content: Content;
}

interface Content {
  readFile(path: string): string;
  listFiles(): readonly string[];
}

/** What is used of attw, which is no dependency of the tests: see setup/release/tools.mjs. */
interface Attw {
  createPackageFromTarballData(tarball: Uint8Array): Content;
  checkPackage(content: Content): Promise<{
    readonly types: unknown;
    readonly problems?: readonly {
      readonly kind: string;
      readonly resolutionKind?: string;
      readonly entrypoint?: string;
    }[];
  }>;
}

interface Release {
  readonly folder: string;
  readonly tarballs: readonly { readonly name: string; readonly file: string }[];
}

/** Of a test, to npm nothing. */
const notOurs = /^(NODE_OPTIONS|NODE_V8_COVERAGE|_?TAP)/i;

function ensured(): Release {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notOurs.test(name)));
  const program = join(clone, 'setup', 'release', 'ensure.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { env, cwd: clone, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The packages could not be staged: ${stdout}${stderr}`);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Release;
}

const release = ensured();
const { loadTool } = await loadParts();

export const { createPackageFromTarballData, checkPackage } = (await loadTool('@arethetypeswrong/core')) as Attw;

/** In an order in which a registry can take them. */
export const staged: readonly Staged[] = release.tarballs.map(({ name, file }) => {
  const tarball = new Uint8Array(readFileSync(file));
  const content = createPackageFromTarballData(tarball);
  const within = `/node_modules/${name}/`;
  const read = (path: string): string => content.readFile(`${within}${path}`);
  return {
    manifest: JSON.parse(read('package.json')) as Manifest,
    folder: join(release.folder, 'packages', name),
    tarball,
    files: content.listFiles().map(each => each.slice(within.length)),
    read,
    content,
  };
});
