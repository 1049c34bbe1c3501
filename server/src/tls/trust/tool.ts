/** Runs the operating system's own programs: without a shell, and every failure a sentence. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../../config/error.js';
import { TrustError, type PublicCertificate } from './store.js';

export interface Ran {
  readonly code: number;
  /** Standard output, and after it standard error. */
  readonly said: string;
}

export interface Tools {
  /** @returns undefined where there is no such program */
  run(program: string, args: readonly string[], input?: string): Promise<Ran | undefined>;
  /** Gives the certificate as a PEM file for as long as `use` takes. */
  withFile<T>(certificate: PublicCertificate, use: (file: string) => Promise<T>): Promise<T>;
}

/** @param env the programs' own; their words are wanted in English */
export function systemTools(env: NodeJS.ProcessEnv): Tools {
  return {
    run: (program, args, input = '') =>
      new Promise((resolve, reject) => {
        // No time limit: Windows and macOS ask the person at the screen.
        const child = execFile(
          program,
          args,
          { env: { ...env, LC_ALL: 'C' }, windowsHide: true },
          (error, out, err) => {
            const said = `${out}\n${err}`.trim();
            if (error === null) return resolve({ code: 0, said });
            if (systemCode(error) === 'ENOENT') return resolve(undefined);
            if (typeof error.code === 'number') return resolve({ code: error.code, said });
            reject(new TrustError('failed', `${program} could not be run: ${error.message}.`, { cause: error }));
          },
        );
        child.stdin?.on('error', () => undefined);
        child.stdin?.end(input);
      }),

    async withFile({ pem }, use) {
      const dir = await mkdtemp(join(tmpdir(), 'platen-trust-'));
      try {
        const file = join(dir, 'cert.pem');
        await writeFile(file, pem);
        return await use(file);
      } finally {
        await rm(dir, { recursive: true, force: true });
      }
    },
  };
}

/**
 * Runs a program that has to succeed.
 * @param missing where to get it, a clause
 * @throws {TrustError} with the command and what it said
 */
export async function must(
  tools: Tools,
  program: string,
  args: readonly string[],
  missing: string,
  input?: string,
): Promise<string> {
  const ran = await tools.run(program, args, input);
  if (ran === undefined) throw new TrustError('no-tool', `There is no program ${program} here: ${missing}.`);
  if (ran.code === 0) return ran.said;
  const words = ran.said.replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
  throw new TrustError(
    'failed',
    `"${[program, ...args].join(' ')}" failed with code ${ran.code}${words === '' ? '' : `: ${words}`}.`,
  );
}
