/** The version of this installation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverFolder } from './packageFolders.js';

/** The number of the build that made the package; 0 for a local build. */
const BUILD = 0;

/** As npm knows it: `0.2.0-beta.1`. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(join(serverFolder, 'package.json'), 'utf8')) as { version: string };
  return manifest.version;
}

/** The interface's four-part form: the package's version and a build number. */
export function fourPartVersion(): string {
  return `${packageVersion().replace(/[-+].*$/, '')}.${BUILD}`;
}
