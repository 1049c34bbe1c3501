/** Platen's own program for Windows, in the package that is installed on Windows only. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { helperProgram, type HelperProgram } from '@platen/driver-kit';
import { serverFolder } from './packageFolders.js';
import { platform } from './platform.js';

/**
 * @param folder the server's package, whose package.json has the published hash
 * @returns platen-service.exe; undefined if it is not installed
 */
export function serviceProgram(folder: string = serverFolder): HelperProgram | undefined {
  const found = helperProgram(pathToFileURL(join(folder, '/')), 'platen-service', 'win32-x64');
  return found.refused !== undefined || existsSync(found.command) ? found : undefined;
}

/** @returns the path of platen-service.exe; undefined if it is not installed, or not the published file */
export function windowsProgram(): string | undefined {
  if (platform !== 'win32') return undefined;
  const program = serviceProgram();
  return program?.refused === undefined ? program?.command : undefined;
}
