/** The native helper, in which ImageCaptureCore runs. */
import { fileURLToPath } from 'node:url';
import type { Log } from '@platen/core/plugin';
import { createHelper, helperProgram, type Helper, type HelperTrace } from '@platen/driver-kit';

const folder = new URL('..', import.meta.url);

/** The fix if the helper does not start. */
export const repair = `Install @platen/driver-ica-macos again with its optional packages. In a clone, run "xcode-select --install" once, then "npm run build:native" in ${fileURLToPath(folder).replace(/\/$/, '')}`;

const features = ['name', 'title', 'tooltip', 'values', 'labels'];

/** What a trace has of ImageCaptureCore: its events and the features of a model, not names of devices or files. */
export const icaTrace: HelperTrace = {
  words: { events: ['event', 'transport', 'status', 'code'], features, feature: features, scan: ['mode', 'uti'] },
};

/** Returns a function that creates helpers. @param command a program in place of the package's */
export function helperOf(command?: string, env: NodeJS.ProcessEnv = process.env): (log: Log) => Helper {
  const program = command === undefined ? helperProgram(folder, 'platen-ica-helper') : { command };
  return log => createHelper({ name: 'ica', ...program, env, log, repair, trace: icaTrace });
}
