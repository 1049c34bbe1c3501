/** Runs the operating system's programs without a shell, and turns every failure into a sentence. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemCode } from '../../configError.js';
import { TrustError, type PublicCertificate } from './store.js';

export interface Ran {
  readonly code: number;
  /** Standard output, then standard error. */
  readonly said: string;
}

export interface Tools {
  /** @returns undefined if the program is not installed */
  run(program: string, args: readonly string[], input?: string): Promise<Ran | undefined>;
  /** Runs `use` with the certificate as a temporary PEM file. */
  withFile<T>(certificate: PublicCertificate, use: (file: string) => Promise<T>): Promise<T>;
}

/** @param env the programs' environment; the locale is set to English */
export function systemTools(env: NodeJS.ProcessEnv): Tools {
  return {
    run: (program, args, input = '') =>
      new Promise((resolve, reject) => {
        // No time limit: Windows and macOS may ask the person at the screen.
        const child = execFile(
          program,
          args,
          { env: { ...env, LC_ALL: 'C' }, windowsHide: true },
          (error, out, err) => {
            const said = `${out}\n${err}`.trim();
            if (error === null) return resolve({ code: 0, said });
            // EACCES: a folder of PATH cannot be searched, and no other one has the program.
            if (['ENOENT', 'EACCES'].includes(systemCode(error) ?? '')) return resolve(undefined);
            if (typeof error.code === 'number') return resolve({ code: error.code, said });
            reject(new TrustError('failed', `Could not run ${program}: ${error.message}.`, { cause: error }));
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
 * Runs a program that must succeed.
 * @param missing a clause: where to get the program
 * @throws {TrustError} with the command and its output
 */
export async function must(
  tools: Tools,
  program: string,
  args: readonly string[],
  missing: string,
  input?: string,
): Promise<string> {
  const ran = await tools.run(program, args, input);
  if (ran === undefined) throw new TrustError('no-tool', `The program ${program} is not installed: ${missing}.`);
  if (ran.code === 0) return ran.said;
  const words = ran.said.replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '');
  throw new TrustError(
    'failed',
    `"${[program, ...args].join(' ')}" failed with code ${ran.code}${words === '' ? '' : `: ${words}`}.`,
  );
}
