/** Tools of the release, from a lock of their own: installed when first needed, so that no test run waits for them. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { alone } from '../lock.mjs';
import { run } from '../step.mjs';
import { cache } from './cache.mjs';
import { npm, npmEnv, npmOptions } from './npm.mjs';

const source = fileURLToPath(new URL('tools', import.meta.url));
const files = ['package.json', 'package-lock.json'];

/** @returns {Promise<string>} the folder whose node_modules has them */
export async function installTools() {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(join(source, file)));
  const folder = join(cache, `tools-${hash.digest('hex').slice(0, 12)}`);
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
        await run('Installing the tools of the release (once)', install, { ...npmOptions, cwd: folder, env: npmEnv() });
        writeFileSync(whole, '');
      },
    ],
    join(cache, 'tools.lock'),
  );
  return folder;
}

/**
 * @param {string} name of a package among them
 * @returns {Promise<any>} its exports
 */
export async function loadTool(name) {
  const { resolve } = createRequire(join(await installTools(), 'package.json'));
  return import(pathToFileURL(resolve(name)).href);
}
