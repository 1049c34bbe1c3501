/** Copies a template: the rules are in the README. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { idOf, shortName } from './names.js';

export interface Values {
  /** The package's name, with its scope. */
  readonly name: string;
  readonly title: string;
  /** Of the driver, format and so on. */
  readonly id: string;
  /** Platen's: the new package asks for it or a compatible later one. */
  readonly version: string;
  readonly licence: boolean;
}

const placeholder = /@acme\/acme-f100|acme-f100|acme_f100|acme-id|Acme F100|0\.0\.0-platen/g;

/** All in one pass: a value that contains a placeholder stays as it is. */
export function filledIn(text: string, { name, title, id, version }: Values): string {
  const short = shortName(name);
  const values: Readonly<Record<string, string>> = {
    '@acme/acme-f100': name,
    'acme-f100': short,
    acme_f100: idOf(name).replaceAll('-', '_'),
    'acme-id': id,
    'Acme F100': title,
    '0.0.0-platen': version,
  };
  return text.replace(placeholder, found => values[found] ?? found);
}

/** `_gitignore` gives `.gitignore`; `_package.json` gives `package.json`. */
export function targetPath(path: string, values: Values): string {
  return filledIn(path, values)
    .split(/[\\/]/)
    .map(part => (part === '_package.json' ? 'package.json' : part.replace(/^_/, '.')))
    .join(sep);
}

/** A line that only a package with a licence has: `// licence: code`, `# licence: text`. */
const licenceLine = /^([ \t]*)(?:\/\/|#) licence: (.*)$/gm;
const licenceBlock = /^<!-- licence -->\r?\n([\s\S]*?)^<!-- \/licence -->\r?\n/gm;

export function withLicence(text: string, licence: boolean): string {
  if (licence) {
    return text
      .replace(licenceLine, '$1$2')
      .replace(licenceBlock, '$1')
      .replace('"license": "MIT"', '"license": "SEE LICENSE IN LICENSE"');
  }
  return text.replace(/^[ \t]*(?:\/\/|#) licence: .*\r?\n/gm, '').replace(licenceBlock, '');
}

/**
 * @param from a folder of templates/
 * @param to is created
 * @returns the files that it wrote, relative to `to`, with `/`
 */
export async function copyTemplate(from: string, to: string, values: Values): Promise<string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true });
  const files = entries.filter(each => each.isFile()).map(each => join(each.parentPath, each.name));
  const written: string[] = [];
  for (const file of files.sort()) {
    const target = targetPath(file.slice(from.length).replace(/^[\\/]/, ''), values);
    const bytes = await readFile(file);
    await mkdir(dirname(join(to, target)), { recursive: true });
    const content = bytes.includes(0) ? bytes : filledIn(withLicence(bytes.toString('utf8'), values.licence), values);
    await writeFile(join(to, target), content);
    written.push(target.split(sep).join('/'));
  }
  return written;
}
