/** Where ImageCaptureCore runs: the native helper. */
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperPath, type Helper } from '@platen/driver-kit';

const folder = new URL('..', import.meta.url);

/** What to do where the helper does not start. */
export const repair = `Build the helper: "xcode-select --install" once, then "npm run build:native" in ${fileURLToPath(folder).replace(/\/$/, '')}`;

/** What makes a helper of its own for each that needs one. */
export function helperOf(
  command = helperPath(folder, 'platen-ica-helper'),
  env: NodeJS.ProcessEnv = process.env,
): (log: Log) => Helper {
  return log => createHelper({ name: 'ica', command, env, log, repair });
}
