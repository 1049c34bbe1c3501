/** The files of the installation folder, in the tables that Windows Installer copies them from. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileVersion } from './fileVersion.mjs';
import { guid, key } from './identifier.mjs';

/**
 * What only developers read, a third of all files: Windows takes as long for a small one as for a large one. Maps; types
 * and TypeScript, which Node does not run in packages, but for those of the client that the service serves; and what
 * third parties pack beside their code.
 */
const leftOut = [
  /\.map$/,
  /^(?!node_modules\/@platen\/client\/).*\.[cm]?ts$/,
  /(?:^npm|node_modules\/(?!@platen\/)(?:@[^/]+\/)?[^/@]+)\/(?:\.github|benchmarks?|docs|examples?|man|tests?)\//,
];

/**
 * @typedef {object} InstalledFile
 * @property {string} key in the table File, and the name in the cabinet
 * @property {string} component
 * @property {string} source path on this computer
 * @property {string} path below the installation folder, with `/`
 */

/**
 * One component for each folder, which Windows Installer repairs and removes as a whole, and one for each program,
 * because a component's first file stands for it: a service is made of that.
 * @param {string} tree the installation folder
 * @returns {{ files: InstalledFile[], tables: import('./database.mjs').Table[] }} in the cabinet's order
 */
export function installedFiles(tree) {
  /** @type {InstalledFile[]} */
  const files = [];
  /** @type {Record<string, import('./database.mjs').Table['rows'][number][]>} */
  const rows = {
    Directory: [
      ['TARGETDIR', '', 'SourceDir'],
      ['ProgramFiles64Folder', 'TARGETDIR', '.'],
      ['PROGRAM', 'ProgramFiles64Folder', 'Platen'],
    ],
    Component: [],
    FeatureComponents: [],
    File: [],
    MsiFileHash: [],
  };
  const visit = (path, directory) => {
    const entries = readdirSync(join(tree, path), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    const kept = entries.filter(entry => entry.isFile() && !isLeftOut(join(path, entry.name)));
    const folder = key('C', path);
    const components = new Set();
    kept.forEach((entry, index) => {
      const own = join(path, entry.name);
      const component = entry.name.endsWith('.exe') ? key('C', own) : folder;
      if (!components.has(component)) {
        components.add(component);
        const id = guid(component === folder ? `component ${path}` : `component ${own}`);
        // 256: of the 64-bit half of Windows.
        rows.Component.push([component, id, directory, 256, '', key('F', own)]);
        rows.FeatureComponents.push(['Platen', component]);
      }
      const source = join(tree, own);
      files.push({ key: key('F', own), component, source, path: own });
      const content = readFileSync(source);
      const { version = '', language = '' } = fileVersion(content) ?? {};
      // 512: vital, so that an installation that cannot copy it fails.
      rows.File.push([
        key('F', own),
        component,
        nameOf(entry.name, index),
        content.length,
        version,
        language,
        512,
        files.length,
      ]);
      if (version === '') rows.MsiFileHash.push([key('F', own), 0, ...hashOf(content)]);
    });
    entries
      .filter(entry => entry.isDirectory())
      .forEach((entry, index) => {
        const own = join(path, entry.name);
        rows.Directory.push([key('D', own), directory, nameOf(entry.name, index)]);
        visit(own, key('D', own));
      });
  };
  visit('', 'PROGRAM');
  return { files, tables: definitions.map(each => ({ ...each, rows: rows[each.name] })) };
}

const isLeftOut = path => leftOut.some(pattern => pattern.test(path));

/** The tables' columns, from the documentation of Windows Installer. */
const definitions = [
  {
    name: 'Component',
    keys: 1,
    columns: ['Component:s72', 'ComponentId:S38', 'Directory_:s72', 'Attributes:i2', 'Condition:S255', 'KeyPath:S72'],
  },
  { name: 'Directory', keys: 1, columns: ['Directory:s72', 'Directory_Parent:S72', 'DefaultDir:l255'] },
  { name: 'FeatureComponents', keys: 2, columns: ['Feature_:s38', 'Component_:s72'] },
  {
    name: 'File',
    keys: 1,
    columns: [
      ...['File:s72', 'Component_:s72', 'FileName:l255', 'FileSize:i4'],
      ...['Version:S72', 'Language:S20', 'Attributes:I2', 'Sequence:i2'],
    ],
  },
  {
    name: 'MsiFileHash',
    keys: 1,
    columns: ['File_:s72', 'Options:i2', 'HashPart1:i4', 'HashPart2:i4', 'HashPart3:i4', 'HashPart4:i4'],
  },
];

/** @returns {string} `SHORT|long`, or one name that is both. A short name has 8 and 3 characters, and its folder only once. */
function nameOf(name, index) {
  if (/^[A-Z\d_]{1,8}(?:\.[A-Z\d_]{1,3})?$/.test(name)) return name;
  return `~${index.toString(36).toUpperCase()}|${name}`;
}

/** The MD5 by which Windows Installer sees whether a file without a version was changed, as four 32-bit numbers. */
function hashOf(content) {
  const digest = createHash('md5').update(content).digest();
  return [0, 4, 8, 12].map(at => digest.readInt32LE(at));
}
