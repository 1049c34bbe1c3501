/** Verdaccio, from its own lock: installed when a release first needs it, so that `npm start` does not wait for it. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from '../lock.mjs';
import { run } from '../step.mjs';
import { cache } from './cache.mjs';
import { npm, npmEnv, npmOptions } from './npm.mjs';

const source = fileURLToPath(new URL('verdaccio', import.meta.url));
const files = ['package.json', 'package-lock.json'];

/** @returns {Promise<string>} the folder whose node_modules has it */
export async function installVerdaccio() {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(source, file)));
  const folder = join(cache, `verdaccio-${hash.digest('hex').slice(0, 12)}`);
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return folder;
  mkdirSync(cache, { recursive: true });
  await alone(
    [
      async () => {
        if (existsSync(whole)) return;
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder);
        for (const file of files) cpSync(join(source, file), join(folder, file));
        const install = npm(
          'ci',
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          '--loglevel=error',
          '--prefer-offline',
        );
        await run('Installing the registry for the release', install, { ...npmOptions, cwd: folder, env: npmEnv() });
        writeFileSync(whole, '');
      },
    ],
    join(cache, 'verdaccio.lock'),
  );
  return folder;
}
