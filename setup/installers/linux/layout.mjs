/** The files that the deb and the rpm install, in a folder that stands for the root of the system. */
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../step.mjs';
import { settle } from '../settle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const program = '/usr/lib/platen';
const server = `${program}/node_modules/@platen/server`;

/** Belongs to the administrator from the first installation on. */
export const configuration = '/etc/platen/platen.json';

/** What the deb's scripts copy there: as a conffile of dpkg, an edited one would stop an update with a question. */
export const template = '/usr/share/platen/platen.json';

/** Paths of this layout, for the words between @ in server/service/platen.service. */
const unitPaths = {
  node: `${program}/node`,
  program: `${server}/bin/platen.cjs`,
  config: configuration,
  plugins: '/usr/local/lib/platen',
};

/**
 * @param {object} options
 * @param {string} options.folder receives the layout
 * @param {(out: string) => Promise<void>} options.makeTree see tree.mjs
 * @param {number} options.epoch seconds since 1970: the time of every file
 * @param {string} options.config the configuration's path in the layout
 */
export async function layOut({ folder, makeTree, epoch, config }) {
  const place = path => {
    const whole = join(folder, path);
    mkdirSync(dirname(whole), { recursive: true });
    return whole;
  };
  const tree = place(program);
  await makeTree(tree);
  cpSync(join(here, 'platen.sh'), place('/usr/bin/platen'));
  writeFileSync(place('/usr/lib/systemd/system/platen.service'), unit());
  const installed = JSON.parse(readFileSync(join(folder, server, 'config', 'installed.json'), 'utf8'));
  const text = JSON.stringify({ ...installed, $schema: `${server}/config/schema.json` }, undefined, 2);
  writeFileSync(place(config), `${text}\n`);
  renameSync(join(tree, 'NODE-LICENSE'), place('/usr/share/doc/platen/NODE-LICENSE'));
  settle(
    folder,
    epoch,
    ['/usr/bin/platen', `${program}/node`].map(path => join(folder, path)),
  );
}

function unit() {
  const text = readFileSync(join(root, 'server', 'service', 'platen.service'), 'utf8');
  // The comment about the words in it is for whoever reads the template.
  return text.replace(/^#.*\n/, '').replaceAll(/@(\w+)@/g, (_, word) => unitPaths[word]);
}

/** @returns {string} a script of a package, with the shared functions at its head */
export function script(path) {
  const read = name => readFileSync(join(here, name), 'utf8');
  return `#!/bin/sh\nset -e\n\n${read('functions.sh')}\n${read(path)}`;
}
