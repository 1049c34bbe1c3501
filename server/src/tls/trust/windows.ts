/**
 * Windows' trust stores: the Root store of the computer, which administrators write, and the one of the account, before
 * whose every change Windows asks the person at the screen. Both by Windows' own certutil.
 */
import { win32 } from 'node:path';
import { TrustError, type TrustStore } from './store.js';
import { must, type Tools } from './tool.js';

const missing = 'it belongs to Windows';

/** The integrity levels "high" (an elevated administrator) and "system", which are the same in every language. */
const elevated = /\bS-1-16-(?:12288|16384)\b/;

/** @returns both stores, the computer's first, and the one that this account installs into */
export async function windowsStores(
  tools: Tools,
  env: NodeJS.ProcessEnv,
): Promise<{ all: TrustStore[]; chosen: TrustStore[] }> {
  const system32 = win32.join(env['SystemRoot'] || 'C:\\Windows', 'System32');
  // The full path: browsers' tools have a certutil of their own.
  const certutil = win32.join(system32, 'certutil.exe');
  const groups = await tools.run(win32.join(system32, 'whoami.exe'), ['/groups', '/fo', 'csv', '/nh']);
  const administrator = elevated.test(groups?.said ?? '');

  const machine: TrustStore = {
    name: 'the Root store of this computer',
    trusted: async ({ sha1 }) => (await tools.run(certutil, ['-store', 'Root', sha1]))?.code === 0,
    add: certificate =>
      tools.withFile(
        certificate,
        async file => void (await must(tools, certutil, ['-addstore', '-f', 'Root', file], missing)),
      ),
    async remove(certificate) {
      if (!(await machine.trusted(certificate))) return false;
      if (!administrator) {
        throw new TrustError(
          'administrator',
          'Taking it out of the Root store of this computer needs administrator rights: run "platen cert remove" in a terminal opened with "Run as administrator".',
        );
      }
      await must(tools, certutil, ['-delstore', 'Root', certificate.sha1], missing);
      return true;
    },
  };

  const user: TrustStore = {
    name: 'the Root store of this account',
    trusted: async ({ sha1 }) => (await tools.run(certutil, ['-user', '-store', 'Root', sha1]))?.code === 0,
    add: certificate =>
      tools.withFile(
        certificate,
        async file => void (await must(tools, certutil, ['-user', '-addstore', 'Root', file], missing)),
      ),
    async remove(certificate) {
      // Windows shows the computer's certificates among the account's; those are not the account's to delete.
      if (!(await user.trusted(certificate)) || (await machine.trusted(certificate))) return false;
      await must(tools, certutil, ['-user', '-delstore', 'Root', certificate.sha1], missing);
      return true;
    },
  };

  return { all: [machine, user], chosen: [administrator ? machine : user] };
}
