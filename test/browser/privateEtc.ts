/**
 * A program that finds more files in /etc than the computer has, in a mount namespace of its own: nothing is written
 * there, and nobody else sees them.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Test } from 'tap';
import { isPermitted } from '../topology/permitted.js';

/** Without root's rights, a user namespace gives them for the mount. */
const unshare = ['unshare', '--mount', ...(process.getuid?.() === 0 ? [] : ['--map-root-user'])] as const;
const overlay = 'mount -t overlay overlay -o "lowerdir=$0:/etc" /etc';

/** `if (!needsPrivateEtc(t)) return;` */
export function needsPrivateEtc(t: Test): boolean {
  const command = [...unshare, 'sh', '-c', overlay, tmpdir()] as const;
  return needs(t, 'unshare') && isPermitted(t, 'mount in a namespace of its own', command);
}

/**
 * @param files by their path below /etc
 * @returns the path of a program that starts `program` with the same arguments
 */
export async function withEtc(t: Test, program: string, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-etc-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const etc = join(folder, 'etc');
  await mkdir(etc);
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    if (!file.startsWith(`${etc}/`)) throw new Error(`${path} is not below /etc`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const start = join(folder, 'start');
  const script = `exec ${unshare.join(' ')} sh -c '${overlay} && exec "$@"' '${etc}' '${program}' "$@"`;
  await writeFile(start, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return start;
}
