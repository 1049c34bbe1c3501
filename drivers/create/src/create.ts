/** Makes the package: its template, and the key pair of a vendor who sells licences. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Kind } from './kinds.js';
import { copyTemplate, type Values } from './template.js';

export interface Wishes extends Omit<Values, 'version'> {
  readonly kind: Kind;
  /** Absolute. Created; empty, or with `.git` only. */
  readonly folder: string;
}

/** Of the package that people install, and of this clone: both have templates/ beside dist/. */
const root = new URL('..', import.meta.url);

export async function ownVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as { version: string };
  return version;
}

/** @returns the files, relative to the folder */
export async function create({ kind, folder, ...wishes }: Wishes): Promise<string[]> {
  const values = { ...wishes, version: await ownVersion() };
  const template = (name: string) => fileURLToPath(new URL(`templates/${name}`, root));
  await mkdir(folder, { recursive: true });
  const files = await copyTemplate(template(kind), folder, values);
  return values.licence ? [...files, ...(await writeKeys(folder))] : files;
}

/** The private key is for its owner only, and in .gitignore. */
async function writeKeys(folder: string): Promise<string[]> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
  await writeFile(join(folder, 'vendor.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  await writeFile(
    join(folder, 'src', 'publicKey.ts'),
    `/** The key that licences of this package are checked with; \`platen licence sign\` needs vendor.key, the private one. */\nexport const publicKey = \`${pem}\`;\n`,
  );
  return ['vendor.key', 'src/publicKey.ts'];
}

/** What a folder must not have, in a sentence; undefined: it can be used. */
export async function folderFault(folder: string): Promise<string | undefined> {
  try {
    const there = (await readdir(folder)).filter(name => name !== '.git');
    return there.length === 0
      ? undefined
      : `${folder} is not empty: it has ${there.slice(0, 3).join(', ')}. Name another package, or another folder with --folder.`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ENOTDIR') return `${folder} is a file. Name another package, or another folder with --folder.`;
    throw error;
  }
}
