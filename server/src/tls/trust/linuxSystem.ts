/** The certificates of a Debian-like system, which curl and most programs go by; browsers have their own, see `nss.ts`. */
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemCode } from '../../config/error.js';
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

export interface LinuxPlaces {
  /** Where an administrator puts certificates of their own. */
  readonly local: string;
  /** What programs read: a bundle, a link for each certificate, and links by hash to those. */
  readonly etc: string;
  /** Programs that keep a copy, Java's for one, and are told of changes. */
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
  'on Debian it is in the package ca-certificates; other systems have a tool of their own to trust the file certificate/cert.pem of the data folder with';

/** @param account.certFile where the certificate lies, for the commands that a person is told */
export function linuxSystemStore(
  tools: Tools,
  account: { readonly root: boolean; readonly certFile: string },
  places: LinuxPlaces = debian,
): TrustStore {
  const { local, etc, update } = places;
  const fileOf = ({ sha1 }: PublicCertificate): string => join(local, `platen-${sha1}.crt`);
  const refresh = (): Promise<string> => must(tools, update, [], missing);

  return {
    name: `the system's certificates in ${etc}`,

    async trusted(certificate) {
      const bundle = (await readFile(join(etc, 'ca-certificates.crt'), 'utf8').catch(absent(''))) ?? '';
      return flat(bundle).includes(flat(certificate.pem));
    },

    async add(certificate) {
      const file = fileOf(certificate);
      if (!account.root) {
        throw new TrustError(
          'administrator',
          `Putting it among the system's certificates needs administrator rights: run sudo install -D -m 644 "${account.certFile}" "${file}" && sudo update-ca-certificates`,
        );
      }
      await mkdir(local, { recursive: true });
      await writeFile(file, certificate.pem);
      try {
        // Whatever this account's umask is: other accounts read it.
        await chmod(file, 0o644);
        await refresh();
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },

    async remove(certificate) {
      const file = fileOf(certificate);
      const links = await linksTo(etc, file);
      const there = (await readFile(file).catch(absent(undefined))) !== undefined;
      if (!there && links.length === 0) return false;
      if (!account.root) {
        throw new TrustError(
          'administrator',
          `Taking it out of the system's certificates needs administrator rights: run sudo rm -f "${file}" && sudo update-ca-certificates --fresh`,
        );
      }
      await rm(file, { force: true });
      // The program leaves links to files that have gone, and tells nobody of them.
      for (const link of links) await rm(link, { force: true });
      await refresh();
      await tellHooks(tools, places, join(etc, basename(file).replace(/\.crt$/, '.pem')));
      return true;
    },
  };
}

/** The link to the file, and the links by hash to that one. */
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

/** As update-ca-certificates(8) has it: each is told the changed files on its standard input. */
async function tellHooks(tools: Tools, { hooks }: LinuxPlaces, link: string): Promise<void> {
  for (const name of (await readdir(hooks).catch(absent([]))).filter(each => /^[\w-]+$/.test(each))) {
    await must(tools, join(hooks, name), [], 'it went away just now', `-${link}\n`);
  }
}

const flat = (pem: string): string => pem.replaceAll(/\s+/g, '');

function absent<T>(instead: T): (error: unknown) => T {
  return error => {
    if (systemCode(error) === 'ENOENT') return instead;
    throw error;
  };
}
