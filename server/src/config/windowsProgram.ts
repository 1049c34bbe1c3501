/** Platen's own program for Windows, in the package that is installed on Windows only. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';
import { platform } from './platform.js';

const PACKAGE = '@platen/server-win32-x64';

/** @returns the path of platen-service.exe; undefined if it is not installed */
export function windowsProgram(): string | undefined {
  if (platform !== 'win32') return undefined;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
    const program = join(dirname(manifest), 'bin', 'platen-service.exe');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
