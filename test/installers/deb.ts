/** A bare Debian with SANE's test backend to install the deb on. */
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Booted, Debian } from './debian.js';
import type { Visit } from './visit.js';

/** The command that a person types; nobody answers a question. */
export const installation = ['apt-get', 'install', '-y', '-q', '/root/platen.deb'];

/** Gives Debian SANE's test backend for when SANE is installed, the archive's lists, and the deb, if any, as /root/platen.deb. */
export async function prepare({ folder, run }: Debian, deb?: string): Promise<void> {
  await mkdir(join(folder, 'etc/sane.d/dll.d'), { recursive: true });
  await writeFile(join(folder, 'etc/sane.d/dll.d/platen-test'), 'test\n');
  // The machine's disk is shared, and nothing here outlives a power failure.
  await writeFile(join(folder, 'etc/dpkg/dpkg.cfg.d/unsafe-io'), 'force-unsafe-io\n');
  if (deb !== undefined) await copyFile(deb, join(folder, 'root/platen.deb'));
  await run('apt-get', 'update', '-q');
}

/** Scans as a web page does, and checks the certificate against those that Debian trusts. */
export async function visit({ folder }: Debian, booted: Booted): Promise<Visit> {
  const script = fileURLToPath(new URL('./visit.js', import.meta.url));
  const trusted = join(folder, 'etc/ssl/certs/ca-certificates.crt');
  return JSON.parse(await booted.visit(process.execPath, script, trusted)) as Visit;
}
