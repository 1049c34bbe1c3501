/** A clone of this clone's last commit to work in: the packages of node_modules are shared, ours are its own. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageFolders } from '../projects.mjs';
import { root, run } from '../step.mjs';

const ours = join('node_modules', '@platen');

/**
 * Nothing that happens in it changes this clone.
 * @param {string} folder where it will be; must not exist
 */
export async function cloneInto(folder) {
  const git = (title, ...args) => run(title, ['git', ...args]);
  await git('Cloning', 'clone', '--quiet', '--no-checkout', root, folder);
  // Of a detached commit, no branch goes along.
  await git('Fetching the last commit', '-C', folder, 'fetch', '--quiet', '--tags', root, 'HEAD');
  await git('Checking it out', '-C', folder, 'checkout', '--quiet', '-B', 'main', 'FETCH_HEAD');
  shareModules(folder);
}

/** A second `npm ci` would take a minute. A linked package finds its dependencies where it really is. */
function shareModules(folder) {
  share(folder, 'node_modules', name => name !== '@platen' && name !== '.cache');
  // Relative links to the workspaces: the same text leads to those of the new clone.
  mkdirSync(join(folder, ours));
  for (const name of readdirSync(join(root, ours)))
    symlinkSync(readlinkSync(join(root, ours, name)), join(folder, ours, name));
  for (const each of packageFolders()) {
    const modules = join(relative(root, each), 'node_modules');
    if (existsSync(join(root, modules))) share(folder, modules, () => true);
  }
}

function share(folder, modules, wanted) {
  mkdirSync(join(folder, modules));
  for (const name of readdirSync(join(root, modules)))
    if (wanted(name)) symlinkSync(join(root, modules, name), join(folder, modules, name));
}
