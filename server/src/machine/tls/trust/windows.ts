/**
 * Windows' trust stores: the computer's Root store, which only administrators may write, and the account's, before each
 * change of which Windows asks the person at the screen. Uses Windows' own certutil.
 */
import { win32 } from 'node:path';
import { TrustError, type TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

const missing = 'it is part of Windows';

/** The SIDs of the integrity levels "high" (an elevated administrator) and "system", which are not translated. */
const elevated = /\bS-1-16-(?:12288|16384)\b/;

/**
 * @param system32 the folder of Windows' programs
 * @returns whether this process has an administrator's rights; undefined if Windows does not say
 */
export async function isElevated(tools: Tools, system32: string): Promise<boolean | undefined> {
  const groups = await tools.run(win32.join(system32, 'whoami.exe'), ['/groups', '/fo', 'csv', '/nh']);
  return groups?.code === 0 ? elevated.test(groups.said) : undefined;
}

/** @returns both stores, the computer's first, and the one into which this account installs */
export async function windowsStores(
  tools: Tools,
  env: NodeJS.ProcessEnv,
): Promise<{ all: TrustStore[]; chosen: TrustStore[] }> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  // The full path, because NSS has another certutil.
  const certutil = win32.join(system32, 'certutil.exe');
  const administrator = (await isElevated(tools, system32)) === true;

  const machine: TrustStore = {
    name: 'the Root store of this computer',
    trusted: async ({ sha1 }) => (await tools.run(certutil, ['-store', 'Root', sha1]))?.code === 0,
    asks: false,
    async add(certificates) {
      for (const each of certificates)
        await tools.withFile(each, file => must(tools, certutil, ['-addstore', '-f', 'Root', file], missing));
    },
    async remove(certificate) {
      if (!(await machine.trusted(certificate))) return false;
      if (!administrator) {
        throw new TrustError(
          'administrator',
          'Removing it from the Root store of this computer needs administrator rights. Run "platen cert remove" in a terminal opened with "Run as administrator".',
        );
      }
      await must(tools, certutil, ['-delstore', 'Root', certificate.sha1], missing);
      return true;
    },
  };

  const user: TrustStore = {
    name: 'the Root store of this account',
    trusted: async ({ sha1 }) => (await tools.run(certutil, ['-user', '-store', 'Root', sha1]))?.code === 0,
    asks: true,
    async add(certificates) {
      for (const each of certificates)
        await tools.withFile(each, file => must(tools, certutil, ['-user', '-addstore', 'Root', file], missing));
    },
    async remove(certificate) {
      // Windows also lists the computer's certificates under the account, which cannot delete them there.
      if (!(await user.trusted(certificate)) || (await machine.trusted(certificate))) return false;
      await must(tools, certutil, ['-user', '-delstore', 'Root', certificate.sha1], missing);
      return true;
    },
  };

  return { all: [machine, user], chosen: [administrator ? machine : user] };
}
