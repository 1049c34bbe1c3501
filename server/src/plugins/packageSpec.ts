/** What `platen plugins add` takes: the name of a package, with or without a version, or the file of a packed one. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ConfigError, systemCode } from '../config/error.js';

export interface PackageSpec {
  readonly name: string;
  /** For npm: `@acme/driver@1.2.0`, or a file's absolute path. */
  readonly spec: string;
}

/** Begins as npm lets new names begin: https://docs.npmjs.com/cli/configuring-npm/package-json#name. No option of npm does. */
const NAME = String.raw`(?:@[a-z0-9~][a-z0-9._~-]*\/)?[a-z0-9~][a-z0-9._~-]*`;
const named = new RegExp(`^(${NAME})(?:@[^\\s/@:]+)?$`);
const onlyName = new RegExp(`^${NAME}$`);

/** Whether it is the name of a package, without a version: it cannot lead out of a `node_modules`. */
export const isPackageName = (text: string): boolean => onlyName.test(text);

/** @throws {ConfigError} naming what is accepted; Error for a file that is not a package */
export async function packageSpec(text: string, cwd: string): Promise<PackageSpec> {
  if (/\.(?:tgz|tar\.gz)$/.test(text)) {
    const file = resolve(cwd, text);
    return { name: await nameIn(file), spec: file };
  }
  const name = named.exec(text)?.[1];
  if (name === undefined)
    throw new ConfigError(
      `"${text}" is neither the name of a package (@acme/driver, @acme/driver@1.2.0) nor a packed one (FILE.tgz).`,
      { code: 'usage' },
    );
  return { name, spec: text };
}

/** tar: https://www.gnu.org/software/tar/manual/html_node/Standard.html. Blocks, a header before each file. */
const BLOCK = 512;

/** The name in the manifest of a packed package. */
async function nameIn(file: string): Promise<string> {
  const packed = await readFile(file).catch((error: unknown) => {
    throw new Error(
      systemCode(error) === 'ENOENT'
        ? `There is no file ${file}.`
        : `The file ${file} cannot be read (${systemCode(error)}).`,
      { cause: error },
    );
  });
  const tar = await promisify(gunzip)(packed).catch(() => Buffer.alloc(0));
  for (let at = 0; at + BLOCK <= tar.length;) {
    const text = (from: number, length: number): string =>
      tar.toString('utf8', at + from, at + from + length).split('\0')[0] ?? '';
    const size = Number.parseInt(text(124, 12), 8) || 0;
    if (/^[^/]+\/package\.json$/.test(text(0, 100))) {
      const name = nameOf(tar.toString('utf8', at + BLOCK, at + BLOCK + size));
      if (name !== undefined) return name;
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`The file ${file} is not a package: make one with "npm pack".`);
}

function nameOf(manifest: string): string | undefined {
  try {
    const { name } = JSON.parse(manifest) as { name?: unknown };
    return typeof name === 'string' && isPackageName(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
