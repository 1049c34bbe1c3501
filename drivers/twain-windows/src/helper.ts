/** The native helpers, in which TWAIN runs: one for each bitness of sources. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperPath, type Helper } from '@platen/driver-kit';
import type { Bits, TwainOptions } from './settings.js';

const folder = new URL('..', import.meta.url);
const names = { 64: 'x64', 32: 'x86' } as const;

/** The fix if a helper does not start. */
export const repair = `Build the helpers: "npm run build:native" in ${fileURLToPath(folder).replace(/[\\/]$/, '')}`;

/** Returns a function that creates helpers. */
export function helpersOf(paths: TwainOptions['helpers'], dataDir: string): (bits: Bits, log: Log) => Helper {
  return (bits, log) => {
    const name = names[bits];
    const own = paths?.[name];
    const command = own === undefined ? helperPath(folder, `platen-twain-helper-${name}`) : resolve(dataDir, own);
    return createHelper({ name: `twain ${name}`, command, log, repair });
  };
}
