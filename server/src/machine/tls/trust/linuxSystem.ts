/**
 * The certificate store of a Debian-like system, which curl and most programs use; browsers have their own, see
 * `nss.ts`.
 */
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import { basename, join } from 'node:path';
import { systemCode } from '../../configError.js';
import { isOwnCertificate } from '../ownShape.js';
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

export interface LinuxPlaces {
  /** The folder for the administrator's certificates. */
  readonly local: string;
  /** The folder that programs read: a bundle, a link for each certificate, and links by hash to those. */
  readonly etc: string;
  /** Hooks of programs that keep a copy, such as Java's, run after changes. */
  readonly hooks: string;
  readonly update: string;
}

const debian: LinuxPlaces = {
  local: '/usr/local/share/ca-certificates',
  etc: '/etc/ssl/certs',
  hooks: '/etc/ca-certificates/update.d',
  update: '/usr/sbin/update-ca-certificates',
};

const missing =
  'on Debian it is in the package ca-certificates; on other systems, use their own tool to trust the file certificate/cert.pem in the data folder';

export interface LinuxAccount {
  readonly root: boolean;
  /**
   * The service's: the copies are `platen.crt`, `platen-2.crt` and so on, and take the place of all that were there.
   * Absent: each is named by its thumbprint.
   */
  readonly isNumbered?: boolean;
}

export interface LinuxStore extends TrustStore {
  /** What the numbered copies hold, of what Platen made. */
  held(): Promise<readonly PublicCertificate[]>;
}

/** Copies that Platen made: numbered, or named by their thumbprint. */
const COPY = /^platen(?:-(?:[2-9]|[\dA-F]{40}))?\.crt$/;
const NUMBERED = /^platen(?:-[2-9])?\.crt$/;

export function linuxSystemStore(
  tools: Tools,
  account: LinuxAccount,
  places: LinuxPlaces = debian,
  now: () => Date = () => new Date(),
): LinuxStore {
  const { local, etc, update } = places;
  const nameOf = ({ sha1 }: PublicCertificate): string => `platen-${sha1}.crt`;
  const copyOf = (certificate: PublicCertificate, at: number): string =>
    join(local, !account.isNumbered ? nameOf(certificate) : at === 0 ? 'platen.crt' : `platen-${at + 1}.crt`);
  const isNumbered = (file: string): boolean => account.isNumbered === true && NUMBERED.test(basename(file));
  const refresh = (): Promise<string> => must(tools, update, [], missing);

  async function copies(): Promise<{ readonly file: string; readonly pem: string }[]> {
    const names = (await readdir(local).catch(absent([]))).filter(name => COPY.test(name));
    return Promise.all(
      names.map(async name => ({
        file: join(local, name),
        pem: await readFile(join(local, name), 'utf8').catch(() => ''),
      })),
    );
  }

  /** Takes copies out, with every link to them. */
  async function drop(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const links = await linksTo(etc, file);
      await rm(file, { force: true });
      // The program leaves links to removed files, and does not report them to the hooks.
      for (const link of links) await rm(link, { force: true });
    }
    await refresh();
    for (const file of files) await tellHooks(tools, places, join(etc, basename(file).replace(/\.crt$/, '.pem')));
  }

  /**
   * Predecessors whose place the certificates take, and what has expired: nobody can use that. Others may belong to
   * another installation.
   * @param wanted by file
   */
  async function outdated(wanted: ReadonlyMap<string, PublicCertificate>): Promise<string[]> {
    const others = (await copies()).filter(({ file, pem }) => flat(pem) !== flat(wanted.get(file)?.pem ?? ''));
    const foreign = others.find(({ file, pem }) => wanted.has(file) && !isOwnCertificate(pem));
    if (foreign)
      throw new TrustError(
        'foreign',
        `Platen did not make ${foreign.file}. Rename or remove that file, then try again.`,
      );
    return others
      .filter(({ pem }) => isOwnCertificate(pem))
      .filter(({ file, pem }) => isNumbered(file) || new Date(new X509Certificate(pem).validTo) < now())
      .map(({ file }) => file);
  }

  return {
    name: `the system's certificates in ${etc}`,

    async held() {
      const found = (await copies()).filter(({ file, pem }) => isNumbered(file) && isOwnCertificate(pem));
      return found.map(({ pem }) => ({ pem, sha1: new X509Certificate(pem).fingerprint.replaceAll(':', '') }));
    },

    async trusted(certificate) {
      const bundle = (await readFile(join(etc, 'ca-certificates.crt'), 'utf8').catch(absent(''))) ?? '';
      return flat(bundle).includes(flat(certificate.pem));
    },

    asks: false,

    async add(certificates) {
      const wanted = new Map(certificates.map((each, at) => [copyOf(each, at), each]));
      if (!account.root) {
        const copying = [...wanted].map(([to, { file = 'FILE' }]) => `sudo install -D -m 644 "${file}" "${to}"`);
        throw new TrustError(
          'administrator',
          `Adding it to the system's certificates needs administrator rights. Run: ${copying.join(' && ')} && sudo update-ca-certificates`,
        );
      }
      const old = await outdated(wanted);
      if (old.length > 0) await drop(old);
      await mkdir(local, { recursive: true });
      try {
        for (const [file, { pem }] of wanted) {
          await writeFile(file, pem);
          // Independent of the umask: other accounts must read it.
          await chmod(file, 0o644);
        }
        await refresh();
      } catch (error) {
        for (const file of wanted.keys()) await rm(file, { force: true });
        throw error;
      }
    },

    async remove(certificate) {
      const same = (await copies()).filter(({ pem }) => flat(pem) === flat(certificate.pem)).map(({ file }) => file);
      const named = join(local, nameOf(certificate));
      const isNamed = (await isThere(named)) || (await linksTo(etc, named)).length > 0;
      const files = [...new Set([...same, ...(isNamed ? [named] : [])])];
      if (files.length === 0) return false;
      if (!account.root) {
        throw new TrustError(
          'administrator',
          `Removing it from the system's certificates needs administrator rights. Run: sudo rm -f ${files.map(file => `"${file}"`).join(' ')} && sudo update-ca-certificates --fresh`,
        );
      }
      await drop(files);
      return true;
    },
  };
}

const isThere = (file: string): Promise<boolean> => readFile(file).then(() => true, absent(false));

/** The link to the file, and the links by hash to that link. */
async function linksTo(etc: string, file: string): Promise<string[]> {
  const own = basename(file).replace(/\.crt$/, '.pem');
  const links: string[] = [];
  for (const entry of await readdir(etc, { withFileTypes: true }).catch(absent([]))) {
    if (!entry.isSymbolicLink()) continue;
    const target = await readlink(join(etc, entry.name));
    if (target === file || target === own) links.push(join(etc, entry.name));
  }
  return links;
}

/** As update-ca-certificates(8) does: each hook gets the changed files on its standard input. */
async function tellHooks(tools: Tools, { hooks }: LinuxPlaces, link: string): Promise<void> {
  for (const name of (await readdir(hooks).catch(absent([]))).filter(each => /^[\w-]+$/.test(each))) {
    await must(tools, join(hooks, name), [], 'it was removed just now', `-${link}\n`);
  }
}

const flat = (pem: string): string => pem.replaceAll(/\s+/g, '');

function absent<T>(instead: T): (error: unknown) => T {
  return error => {
    if (systemCode(error) === 'ENOENT') return instead;
    throw error;
  };
}
