/** Tools and stores for tests that must not touch the computer's own. */
import { TrustError, type PublicCertificate, type TrustStore } from './store.js';
import type { TrustStores } from './stores.js';
import type { Ran, Tools } from './tool.js';

export const certificate = (digit: string): PublicCertificate => ({
  pem: `-----BEGIN CERTIFICATE-----\n${digit}\n-----END CERTIFICATE-----\n`,
  sha1: digit.repeat(40),
});

export interface FakeTools extends Tools {
  /** Each call as one line; the certificate's file is FILE. */
  readonly calls: string[];
}

/**
 * @param answers by the beginning of the line; a number is an exit code; a command without an answer succeeds and
 * prints nothing
 */
export function fakeTools(answers: Readonly<Record<string, number | string | Ran | undefined>> = {}): FakeTools {
  const calls: string[] = [];
  return {
    calls,
    run(program, args, input = '') {
      const line = [program, ...args].join(' ');
      calls.push(input === '' ? line : `${line} < ${JSON.stringify(input)}`);
      const key = Object.keys(answers).find(each => line.startsWith(each));
      if (key === undefined) return Promise.resolve({ code: 0, said: '' });
      const answer = answers[key];
      if (typeof answer === 'number') return Promise.resolve({ code: answer, said: '' });
      return Promise.resolve(typeof answer === 'string' ? { code: 0, said: answer } : answer);
    },
    withFile: (_certificate, use) => use('FILE'),
  };
}

export interface FakeStore extends TrustStore {
  /** The thumbprints in the store. */
  readonly held: Set<string>;
  /** The error with which it fails. */
  error: TrustError | undefined;
}

export function fakeStore(name: string, held: readonly string[] = []): FakeStore {
  const store: FakeStore = {
    name,
    held: new Set(held),
    error: undefined,
    asks: false,
    trusted: async ({ sha1 }) => store.held.has(sha1),
    async add(certificates) {
      if (store.error) throw store.error;
      for (const { sha1 } of certificates) store.held.add(sha1);
    },
    async remove({ sha1 }) {
      if (store.error) throw store.error;
      return store.held.delete(sha1);
    },
  };
  return store;
}

export const allOf = (...all: TrustStore[]): TrustStores => ({ all, chosen: all });

export const notAdministrator = new TrustError('administrator', 'It needs administrator rights: run this or that.');
