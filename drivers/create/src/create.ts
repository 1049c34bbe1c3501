/** Makes the package: its template, and the key pair of a vendor who sells licences. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shared, type Kind } from './kinds.js';
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
  const files = new Set<string>();
  for (const layer of [...shared[kind].map(each => `shared/${each}`), kind])
    for (const file of await copyTemplate(template(layer), folder, values)) files.add(file);
  if (!values.licence) return [...files];
  await copyTemplate(template('licence'), folder, values);
  return [...files, ...(await writeKeys(folder, values.name))];
}

/** The private key is for its owner only. Neither it nor the licence for development is in git. */
async function writeKeys(folder: string, name: string): Promise<string[]> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
  const files = {
    'vendor.key': privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    'development.licence': `${licence(name, privateKey)}\n`,
    'src/publicKey.ts': `/** The key that licences of this package are checked with; vendor.key is the private one. */
export const publicKey = \`${pem}\`;
`,
  };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text, { mode: file === 'vendor.key' ? 0o600 : 0o666 });
  }
  return Object.keys(files);
}

const YEAR_S = 366 * 24 * 3600;

/** For `npm run dev`, one year. Its form is that of `Premium` in core's contract. */
function licence(name: string, key: KeyObject): string {
  const exp = Math.floor(Date.now() / 1000) + YEAR_S;
  const parts = [
    { alg: 'EdDSA', typ: 'platen-licence' },
    { aud: name, sub: 'Development', exp },
  ];
  const signed = parts.map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
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
