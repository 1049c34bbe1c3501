/** The version of this installation. */
import { readFileSync } from 'node:fs';

/** The number of the build that a package came from; builds by hand are 0. */
const BUILD = 0;

/** As the interface wants it: the package's version and a build number. */
export function fourPartVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
  return `${manifest.version.replace(/[-+].*$/, '')}.${BUILD}`;
}
