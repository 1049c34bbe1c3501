/** `platen support`: one file for whoever helps, without secrets and without what was scanned. */
import { open, rm, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isRoot, platform } from '../machine/platform.js';
import { resolveSettings } from '../machine/config/settings.js';
import { supportText } from './support/report.js';
import { traceLines } from './trace/traceLines.js';
import { trustStores } from '../machine/tls/trust/stores.js';
import { systemTools } from '../machine/tls/trust/tool.js';
import { becomeOwner } from './parts/asOwner.js';
import type { Computer } from './doctor.js';
import { exitCodes } from '../machine/exitCodes.js';
import { refuse, usage } from './parts/newFile.js';
import { command } from './command.js';

const help = `platen support --out FILE [--trace FILE] [--force] [--config FILE] [--port N]

Writes a text file for whoever helps you: versions, the configuration without secrets, the findings of "platen doctor",
the plugins, and the last lines of the log. Nothing of what was scanned is in it. Look through it before you send it.

  --out FILE      such as platen.txt
  --trace FILE    what "platen trace" recorded of a scanner that misbehaves: it is added at the end
  --force         overwrite an existing file
  --config FILE   the service's configuration (PLATEN_CONFIG)
  --port N        the service's port, if it differs from the configuration (PLATEN_PORT)

Run it as the account that runs the service, or with sudo, because only that account can read the log.`;

export const support = command(
  {
    help,
    exits: ['configuration'],
    options: {
      out: { type: 'string' },
      trace: { type: 'string' },
      force: { type: 'boolean' },
      config: { type: 'string' },
      port: { type: 'string' },
    },
  },
  async ({ values, io }, computer: Computer = {}): Promise<number | 'usage'> => {
    const { out, force = false } = values;
    if (!out) throw usage('--out is missing. Give it a file name, such as platen.txt.');
    const file = resolve(io.cwd, out);
    const traced = values.trace === undefined ? [] : await traceLines(resolve(io.cwd, values.trace));
    const settings = resolveSettings({ flags: values, env: io.env, cwd: io.cwd });
    const facts = {
      settings,
      env: io.env,
      stores: computer.stores ?? trustStores,
      browsers: computer.browsers ?? { platform, root: '', env: io.env, run: systemTools(io.env).run },
      searchMs: computer.searchMs,
    };
    // Opened first: the doctor takes its time, and then no longer has the rights of whoever gets the file.
    const written = await open(file, force ? 'a' : 'wx', 0o600).catch(refuse(out));
    try {
      await giveToPerson(written, io.env);
      becomeOwner(settings.dataDir, io.env);
      const text = await supportText(facts, new Date(), traced);
      await written.truncate();
      await written.writeFile(text).catch(refuse(out));
    } catch (error) {
      // Without root's rights, a file in root's folder stays.
      if (!force) await rm(file).catch(() => io.err(`${out} is left, and incomplete: remove it.`));
      throw error;
    } finally {
      await written.close();
    }
    io.out(out);
    io.err('Look through this file before you send it.');
    return exitCodes.ok;
  },
);

/** With sudo, the file is the person's who typed it: they look through it and send it. */
async function giveToPerson(written: FileHandle, env: NodeJS.ProcessEnv): Promise<void> {
  const [uid, gid] = [env['SUDO_UID'], env['SUDO_GID']].map(Number);
  if (isRoot() && uid !== undefined && gid !== undefined && uid > 0 && gid > 0) await written.chown(uid, gid);
}
