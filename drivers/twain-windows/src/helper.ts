/** The native helpers, in which TWAIN runs: one for each bitness of sources. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperProgram, type Helper } from '@platen/driver-kit';
import type { Bits, TwainOptions } from './settings.js';

const folder = new URL('..', import.meta.url);
const names = { 64: 'x64', 32: 'x86' } as const;

/** The fix if a helper does not start. */
export const repair = `Install @platen/driver-twain-windows again with its optional packages. In a clone, run "npm run build:native" in ${fileURLToPath(folder).replace(/[\\/]$/, '')}`;

/** Returns a function that creates helpers. */
export function helpersOf(paths: TwainOptions['helpers'], dataDir: string): (bits: Bits, log: Log) => Helper {
  return (bits, log) => {
    const name = names[bits];
    const own = paths?.[name];
    const program =
      own === undefined ? helperProgram(folder, `platen-twain-helper-${name}`) : { command: resolve(dataDir, own) };
    return createHelper({ name: `twain ${name}`, ...program, log, repair });
  };
}
