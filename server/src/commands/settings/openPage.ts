/** Opens a page whose address is a secret: other accounts see the arguments of each program, so it is passed in a file. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot, platform } from '../../machine/platform.js';

/**
 * Does nothing where there is no desktop, and for root, whose browser would have root's rights.
 * @param address https
 * @returns removes the file; undefined: nothing was opened
 */
export async function openPage(address: string, env: NodeJS.ProcessEnv): Promise<(() => Promise<void>) | undefined> {
  const opener = openerOf(env);
  if (opener === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'platen-'));
  const file = join(folder, 'settings.html');
  const escaped = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const text = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=${escaped}"><title>Platen</title><a href="${escaped}">Platen</a>\n`;
  await writeFile(file, text, { mode: 0o600 });
  const child = spawn(opener, [file], { stdio: 'ignore', detached: true, env });
  // Without it, the person opens the address that was printed.
  child.on('error', () => undefined);
  child.unref();
  return () => rm(folder, { recursive: true, force: true });
}

function openerOf(env: NodeJS.ProcessEnv): string | undefined {
  if (platform === 'win32') return 'explorer.exe';
  if (isRoot()) return undefined;
  if (platform === 'darwin') return '/usr/bin/open';
  return (env['DISPLAY'] ?? env['WAYLAND_DISPLAY']) ? 'xdg-open' : undefined;
}
