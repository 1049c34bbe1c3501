/** The path of the program that `platen-build-native` builds for a driver's package. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * @param packageUrl the folder of the driver's package, with its slash: `new URL('..', import.meta.url)` from `dist`
 * @param name the target's name in `native/binding.gyp`
 * @returns the absolute path; the program may not have been built
 */
export function helperPath(packageUrl: string | URL, name: string): string {
  const path = fileURLToPath(new URL(`native/build/Release/${name}`, packageUrl));
  const exe = `${path}.exe`;
  return !existsSync(path) && existsSync(exe) ? exe : path;
}
