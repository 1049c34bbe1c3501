/** Finds language data: one package per language, `@tesseract.js-data/eng`, installed like a plugin. */
import { createRequire } from 'node:module';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The network's integer data: as accurate as the full data at a third of its size. Older packages lack the first. */
const KINDS = ['4.0.0_best_int', '4.0.0'] as const;

/** Three letters of ISO 639-2, then a script or an age. */
const CODE = /^[a-z]{3}(?:_[a-z_]+)?$/i;

export interface LanguageData {
  /** Tesseract's name: `eng`, `chi_sim`. */
  readonly code: string;
  /** The folder of `<code>.traineddata.gz`. */
  readonly folder: string;
  /** The data's identity: package, version and kind. */
  readonly origin: string;
}

export interface SearchSettings {
  /** Folders to search, in order, each upwards through `node_modules`; this package's own folder comes last. */
  readonly folders: readonly string[];
}

/** @throws Error that names every missing language and what to install */
export async function findLanguages(codes: readonly string[], { folders }: SearchSettings): Promise<LanguageData[]> {
  const found = await Promise.all(codes.map(code => findLanguage(code, folders)));
  const missing = codes.filter((_, i) => !found[i]);
  if (missing.length === 0) return found.filter(each => each !== undefined);
  const strange = missing.filter(code => !CODE.test(code));
  if (strange.length > 0) {
    throw new Error(
      `options.languages takes Tesseract's names, such as eng, deu or chi_sim; unknown: ${quoted(strange)}`,
    );
  }
  const packages = missing.map(packageOf).join(' ');
  throw new Error(
    `the data of ${quoted(missing)} is not installed: ` +
      `run "platen plugins add --data ${packages}", or remove it from options.languages`,
  );
}

const packageOf = (code: string): string => `@tesseract.js-data/${code}`;
const quoted = (codes: readonly string[]): string => codes.map(code => `"${code}"`).join(' and ');

async function findLanguage(code: string, folders: readonly string[]): Promise<LanguageData | undefined> {
  for (const from of [...folders.map(folder => join(folder, 'package.json')), import.meta.url]) {
    const manifest = resolved(from, `${packageOf(code)}/package.json`);
    if (manifest === undefined) continue;
    const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version?: string };
    for (const kind of KINDS) {
      const folder = join(dirname(manifest), kind);
      const file = await stat(dataFile({ code, folder })).catch(() => undefined);
      if (file?.isFile()) return { code, folder, origin: `${packageOf(code)}@${String(version)}/${kind}` };
    }
  }
  return undefined;
}

/** The file of a language, as gzip. */
export function dataFile({ code, folder }: Pick<LanguageData, 'code' | 'folder'>): string {
  return join(folder, `${code}.traineddata.gz`);
}

function resolved(from: string, name: string): string | undefined {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return undefined;
  }
}
