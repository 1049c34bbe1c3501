/** The helper program: native/helper.c. */
import type { Log } from '@platen/core/plugin';
import { createHelper, helperProgram, type Helper } from '@platen/driver-kit';

/** The program without the SDK, over native/simulation: for development only, not packed. */
export const simulated = 'acme-f100-simulated';

/**
 * @param program a target of native/binding.gyp; src/dev.ts sets PLATEN_DEV_PROGRAM
 * @returns a function that makes a helper; its process starts at the first call
 */
export function helperOf(
  program = process.env['PLATEN_DEV_PROGRAM'] ?? 'acme-f100-helper',
  env = process.env,
): (log: Log) => Helper {
  const found = helperProgram(new URL('..', import.meta.url), program);
  const repair = 'Install @acme/acme-f100 again, of a version for this system. In its own folder: npm run build.';
  return log => createHelper({ name: 'acme-f100', ...found, env, log, repair });
}
