/** Platen's own program for Windows, in the package that is installed on Windows only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { helperProgram, type HelperProgram } from '@platen/driver-kit';
import { serverFolder } from './packageFolders.js';

/**
 * @param folder the server's package, whose package.json has the published hash
 * @returns platen-service.exe, or why it must not be started; undefined if it is not installed
 */
export function serviceProgram(folder: string = serverFolder): HelperProgram | undefined {
  const found = helperProgram(pathToFileURL(join(folder, '/')), 'platen-service', 'win32-x64');
  return found.refused !== undefined || existsSync(found.command) ? found : undefined;
}
