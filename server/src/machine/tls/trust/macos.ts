/**
 * macOS's keychains: the system's, which only root may write, and the account's login keychain, for whose trust
 * settings macOS asks for the password. Uses macOS's own `security`.
 */
import { X509Certificate } from 'node:crypto';
import { posix } from 'node:path';
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

const security = '/usr/bin/security';
const missing = 'it is part of macOS';

/** @returns both stores, the system's first, and the one into which this account installs */
export function macosStores(
  tools: Tools,
  account: { readonly root: boolean; readonly home: string },
): { all: TrustStore[]; chosen: TrustStore[] } {
  const system = keychain(tools, {
    name: 'the System keychain',
    path: '/Library/Keychains/System.keychain',
    // Trust settings are separate from keychains, and the administrator's from each account's.
    domain: ['-d'],
    writable: account.root,
  });
  const login = keychain(tools, {
    name: 'the login keychain of this account',
    path: posix.join(account.home, 'Library', 'Keychains', 'login.keychain-db'),
    domain: [],
    writable: true,
  });
  return { all: [system, login], chosen: [account.root ? system : login] };
}

interface Keychain {
  readonly name: string;
  readonly path: string;
  readonly domain: readonly string[];
  readonly writable: boolean;
}

function keychain(tools: Tools, { name, path, domain, writable }: Keychain): TrustStore {
  const holds = async ({ sha1 }: PublicCertificate): Promise<boolean> => {
    const found = await tools.run(security, ['find-certificate', '-a', '-Z', path]);
    return found?.code === 0 && new RegExp(`^SHA-1 hash: ${sha1}$`, 'm').test(found.said);
  };
  const verified = (certificate: PublicCertificate, file: string): Promise<boolean> =>
    tools
      .run(security, ['verify-cert', '-c', file, '-p', 'ssl', ...atItsTime(certificate)])
      .then(ran => ran?.code === 0);

  return {
    name,
    // Also root: since macOS 11, a change of trust settings is confirmed at the screen.
    asks: true,
    // A keychain keeps a certificate even if its owner refused to trust it.
    trusted: async certificate =>
      (await holds(certificate)) && tools.withFile(certificate, file => verified(certificate, file)),

    async add(certificates) {
      for (const each of certificates)
        await tools.withFile(each, file =>
          must(
            tools,
            security,
            ['add-trusted-cert', ...domain, '-r', 'trustRoot', '-p', 'ssl', '-k', path, file],
            missing,
          ),
        );
    },

    async remove(certificate) {
      if (!(await holds(certificate))) return false;
      if (!writable)
        throw new TrustError(
          'administrator',
          `Removing it from ${name} needs administrator rights. Run: sudo platen cert remove.`,
        );
      await tools.withFile(certificate, async file => {
        try {
          await must(tools, security, ['remove-trusted-cert', ...domain, file], missing);
        } catch (error) {
          // A certificate that was never trusted has no settings to remove.
          if (await verified(certificate, file)) throw error;
        }
      });
      await must(tools, security, ['delete-certificate', '-Z', certificate.sha1, path], missing);
      return true;
    },
  };
}

/** A successor that is not valid yet is verified as of its beginning (security(1): in UTC, to the second). */
function atItsTime({ pem }: PublicCertificate): string[] {
  try {
    const begins = new Date(new X509Certificate(pem).validFrom);
    if (begins.getTime() <= Date.now()) return [];
    const after = new Date(begins.getTime() + 24 * 60 * 60 * 1000);
    return ['-d', after.toISOString().slice(0, 19).replace('T', '-')];
  } catch {
    return [];
  }
}
