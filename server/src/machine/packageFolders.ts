/** Where the packages of plugins are: the folders that are searched, and where `platen plugins add` installs. */
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The server's package: the only place that counts how deep its own file is. */
export const serverFolder = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '');

/** Starts the command line. */
export const platenProgram = join(serverFolder, 'bin', 'platen.cjs');

/** A folder of the server's package, which Node's search for packages starts at. */
export const installation = join(serverFolder, 'dist');

/**
 * The folder whose `node_modules` has the server's package; undefined in a clone, where the package is in no
 * `node_modules`.
 * @param folder the server's package: `/opt/platen/node_modules/@platen/server`
 */
export function installationPrefix(folder: string = serverFolder): string | undefined {
  const modules = dirname(dirname(realpathSync(folder)));
  return basename(modules) === 'node_modules' ? dirname(modules) : undefined;
}

/** The folder of plugins that bundles brought, in the plugins folder: npm removes what it did not install. */
export const bundlesFolder = (pluginsDir: string): string => join(pluginsDir, 'platen-bundles');

/** In the order of the search: the configuration's, that of bundles, the plugins folder, the installation. */
export function packageFolders(configFile: string, pluginsDir: string | undefined): readonly string[] {
  const added = pluginsDir === undefined ? [] : [bundlesFolder(pluginsDir), pluginsDir];
  return [dirname(configFile), ...added, installation];
}
