/** What `platen plugins add` takes: the name of a package, with or without a version, or the file of a packed one. */
import { resolve } from 'node:path';
import { ConfigError } from '../../machine/configError.js';
import { NAME } from './packageName.js';
import { packedManifest } from './packedManifest.js';

export interface PackageSpec {
  readonly name: string;
  /** For npm: `@acme/driver@1.2.0`, or its name and a file's absolute path. */
  readonly spec: string;
  /** Of a packed package: the versions of the dependencies that are not in its file, by name. */
  readonly needs?: ReadonlyMap<string, string>;
}

const named = new RegExp(`^(${NAME})(?:@[^\\s/@:]+)?$`);

/** @throws {ConfigError} naming what is accepted; Error for a file that is not a package */
export async function packageSpec(text: string, cwd: string): Promise<PackageSpec> {
  if (/\.(?:tgz|tar\.gz)$/.test(text)) {
    const file = resolve(cwd, text);
    const { name, needs } = await packedManifest(file);
    // npm puts it under the name that was checked, whatever else the file says.
    return { name, spec: `${name}@${file}`, needs };
  }
  const name = named.exec(text)?.[1];
  if (name === undefined)
    throw new ConfigError(
      `"${text}" is neither the name of a package (@acme/driver, @acme/driver@1.2.0) nor a packed one (FILE.tgz).`,
      { code: 'usage' },
    );
  return { name, spec: text };
}
