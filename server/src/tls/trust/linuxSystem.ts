/**
 * The certificate store of a Debian-like system, which curl and most programs use; browsers have their own, see
 * `nss.ts`.
 */
import { chmod, mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemCode } from '../../config/error.js';
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

/** @param account.certFile the certificate's path, for the commands in messages */
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
          `Adding it to the system's certificates needs administrator rights. Run: sudo install -D -m 644 "${account.certFile}" "${file}" && sudo update-ca-certificates`,
        );
      }
      await mkdir(local, { recursive: true });
      await writeFile(file, certificate.pem);
      try {
        // Independent of the umask: other accounts must read it.
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
          `Removing it from the system's certificates needs administrator rights. Run: sudo rm -f "${file}" && sudo update-ca-certificates --fresh`,
        );
      }
      await rm(file, { force: true });
      // The program leaves links to removed files, and does not report them to the hooks.
      for (const link of links) await rm(link, { force: true });
      await refresh();
      await tellHooks(tools, places, join(etc, basename(file).replace(/\.crt$/, '.pem')));
      return true;
    },
  };
}

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
