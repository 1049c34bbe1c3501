/** `platen dev`: runs the package of a plugin under development in a service, and starts it again at each change. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigError, systemCode } from '../machine/configError.js';
import { resolveSettings } from '../machine/config/settings.js';
import { startDevLoop } from './dev/devLoop.js';
import { readDevPackage } from './dev/devPackage.js';
import { keysHelp, terminalKeys, type Keys } from './dev/keys.js';
import { exitCodes } from '../machine/exitCodes.js';
import { command } from './command.js';

const help = `platen dev [FOLDER] [--port N] [--options JSON|FILE] [--licence TOKEN|FILE] [--data-dir DIR]

Runs the plugin of the package in FOLDER (.) in a service with a page, beside the formats of this installation. If the
plugin has no driver, there is a virtual scanner. A change of a source runs the package's script "build", if it has one;
a change of what is built starts the service again. Errors have their stack, with file and line of the source.

  --port N                the port (a free one)
  --options JSON|FILE     the plugin's options, over those of the development module, key by key
  --licence TOKEN|FILE    the plugin's licence
  --data-dir DIR          the data folder (node_modules/.cache/platen-dev of the package, else a temporary one)

A development module starts what the plugin needs, such as a simulator. package.json names it: "platen": { "dev":
"./dist/dev.js" }. Its default export is an async function that returns { options, licence?, close? }.

On a terminal: ${keysHelp}`;

/** @param keys for tests; absent: those of the terminal */
export const dev = command(
  {
    help,
    exits: ['configuration', 'certificate', 'portInUse', 'dataFolderInUse'],
    options: {
      port: { type: 'string' },
      options: { type: 'string' },
      licence: { type: 'string' },
      'data-dir': { type: 'string' },
    },
    allowPositionals: true,
  },
  async ({ values, positionals, io }, stopped: Promise<string>, keys?: Keys): Promise<number | 'usage'> => {
    if (positionals.length > 1) return 'usage';
    const folder = resolve(io.cwd, positionals[0] ?? '.');
    const found = await readDevPackage(folder);
    const { port = 0 } = resolveSettings({ flags: { port: values.port }, env: {}, cwd: io.cwd });
    const options = values.options === undefined ? undefined : await optionsOf(values.options, io.cwd);
    const licence = values.licence === undefined ? undefined : await licenceOf(values.licence, io.cwd);
    const { dataDir, leave } = await dataFolder(values['data-dir'], folder, io.cwd);
    try {
      const loop = startDevLoop({ io, found, dataDir, port, options, licence });
      const pressed = keys ?? terminalKeys();
      try {
        const quit = new Promise<void>(end => {
          pressed?.listen(key => (key === 'q' ? end() : loop.press(key)));
          void stopped.then(() => end());
        });
        const started = await Promise.race([loop.started, quit]);
        if (started === false) return exitCodes.failure;
        if (pressed) io.out(keysHelp);
        await quit;
        return exitCodes.ok;
      } finally {
        await loop.close();
        pressed?.close();
      }
    } finally {
      await leave();
    }
  },
);

/** @throws {ConfigError} */
async function optionsOf(given: string, cwd: string): Promise<Record<string, unknown>> {
  const text = given.trimStart().startsWith('{') ? given : await textIn('--options', resolve(cwd, given));
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Told below.
  }
  throw new ConfigError('--options takes a JSON object, or a file that holds one.', { code: 'usage' });
}

/** The service reads paths from its data folder; here they start at the working directory. */
async function licenceOf(given: string, cwd: string): Promise<string> {
  if (given.startsWith('eyJ')) return given;
  return (await textIn('--licence', resolve(cwd, given))).trim();
}

async function textIn(flag: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw new ConfigError(`${flag}: the file ${file} cannot be read (${systemCode(error) ?? String(error)}).`, {
      code: 'usage',
    });
  });
}

/** Never the person's own. */
async function dataFolder(
  given: string | undefined,
  folder: string,
  cwd: string,
): Promise<{ readonly dataDir: string; leave(): Promise<void> }> {
  if (given === '') throw new ConfigError('--data-dir takes the path of a folder.', { code: 'usage' });
  if (given !== undefined) return { dataDir: resolve(cwd, given), leave: async () => undefined };
  const modules = join(folder, 'node_modules');
  if ((await stat(modules).catch(() => undefined))?.isDirectory())
    return { dataDir: join(modules, '.cache', 'platen-dev'), leave: async () => undefined };
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-dev-'));
  return { dataDir, leave: () => rm(dataDir, { recursive: true, force: true }) };
}
