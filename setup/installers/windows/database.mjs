/** Writes an installer package: tables as text, which msibuild (Debian: msitools) reads, and a cabinet (gcab). */
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../step.mjs';
import { guid } from './identifier.mjs';

/**
 * @typedef {object} Table
 * @property {string} name
 * @property {number} keys how many columns, from the first, identify a row
 * @property {readonly string[]} columns `Name:type`, with the types of Windows Installer: `s72`, `I2`
 * @property {readonly (readonly (string | number)[])[]} rows
 */

/**
 * @param {object} options
 * @param {string} options.file to write
 * @param {string} options.scratch a folder, emptied
 * @param {number} options.epoch the time of its files, in seconds since 1970
 * @param {boolean} options.quick without compression
 * @param {readonly Table[]} options.tables
 * @param {readonly { key: string, source: string }[]} options.files in the cabinet's order
 */
export async function writePackage({ file, scratch, epoch, quick, tables, files }) {
  rmSync(scratch, { recursive: true, force: true });
  const links = join(scratch, 'files');
  mkdirSync(links, { recursive: true });
  for (const each of files) {
    utimesSync(each.source, epoch, epoch);
    symlinkSync(each.source, join(links, each.key));
  }
  const cabinet = join(scratch, 'platen.cab');
  await run(
    'Packing the cabinet',
    ['gcab', '-c', ...(quick ? [] : ['-z']), '-n', cabinet, ...files.map(each => each.key)],
    { cwd: links },
  );
  // Windows Installer takes two packages with one code for the same. The tables have the hashes of all files.
  const content = createHash('sha256').update(tables.map(textOf).join('')).digest('hex');
  const imports = [summary(guid(`package ${content}`), epoch), ...tables].flatMap(table => {
    const path = join(scratch, `${table.name}.idt`);
    writeFileSync(path, textOf(table));
    return ['-i', path];
  });
  rmSync(file, { force: true });
  // It takes the summary's times for local ones.
  const utc = { ...process.env, TZ: 'UTC' };
  await run('Writing the package', ['msibuild', file, ...imports, '-a', 'platen.cab', cabinet], { env: utc });
  rmSync(scratch, { recursive: true });
}

/** Names, types, the table's name with its keys, and a line for each row; fields are separated by tabs. */
function textOf({ name, keys, columns, rows }) {
  const names = columns.map(column => column.split(':')[0]);
  const types = columns.map(column => column.split(':')[1]);
  const lines = [names, types, [name, ...names.slice(0, keys)], ...rows];
  return lines.map(line => `${line.join('\t')}\r\n`).join('');
}

/** The package's properties, by number: https://learn.microsoft.com/windows/win32/msi/summary-property-descriptions. */
function summary(code, epoch) {
  const made = new Date(epoch * 1000).toISOString().replaceAll('-', '/').replace('T', ' ').slice(0, 19);
  return {
    name: '_SummaryInformation',
    keys: 1,
    columns: ['PropertyId:i2', 'Value:l255'],
    rows: [
      [1, 1252], // code page
      [2, 'Installation Database'],
      [3, 'Platen'],
      [4, 'Platen'],
      [7, 'x64;1033'],
      [9, code],
      [12, made],
      [13, made],
      [14, 500], // Windows Installer 5.0
      [15, 2], // compressed, long names
      [18, 'msibuild'],
      [19, 2], // opened for reading is enough
    ],
  };
}
