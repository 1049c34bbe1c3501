/** Builds an installer of the tree's version. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = fileURLToPath(new URL('../../../setup/installers/main.mjs', import.meta.url));

/** @returns its path below the folder */
export async function buildInstaller(kind: 'deb' | 'rpm', folder: string): Promise<string> {
  const args = [script, kind, '--quick', '--out', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 });
  return join(folder, stdout.trim().split('\n').at(-1)?.split('/').at(-1) ?? '');
}
