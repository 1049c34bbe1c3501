/** The native helper, in which ImageCaptureCore runs. */
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperPath, type Helper } from '@platen/driver-kit';

const folder = new URL('..', import.meta.url);

/** The fix if the helper does not start. */
export const repair = `Build the helper: "xcode-select --install" once, then "npm run build:native" in ${fileURLToPath(folder).replace(/\/$/, '')}`;

/** Returns a function that creates helpers. */
export function helperOf(
  command = helperPath(folder, 'platen-ica-helper'),
  env: NodeJS.ProcessEnv = process.env,
): (log: Log) => Helper {
  return log => createHelper({ name: 'ica', command, env, log, repair });
}
