/** sane-airscan, Debian's client for network scanners, with a configuration for one device. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs, type NeedyTest } from '@platen/conformance';
import type { Device } from '@platen/driver-escl/testing';

export interface Ran {
  /** The standard error of scanimage, with its exit code. */
  readonly stderr: string;
  readonly code: number;
}

export interface Scanned extends Ran {
  /** PNG files, in order of arrival. */
  readonly pages: readonly Buffer[];
}

export interface Airscan {
  /** The output of `scanimage -L`. */
  list(): Promise<string>;
  /** Runs scanimage on the device, with these arguments. */
  run(args: readonly string[]): Promise<Ran>;
  /** Scans with these arguments; a feeder until it is empty. */
  scan(args: readonly string[]): Promise<Scanned>;
}

const NAME = 'Tester';

/** Whether this client can run. */
export function needsAirscan(t: NeedyTest): boolean {
  return ['scanimage', '/etc/sane.d/airscan.conf'].every(program => needs(t, program));
}

/** @param folder a new folder for its configuration */
export async function airscan(folder: string, url: string): Promise<Airscan> {
  await writeFile(join(folder, 'dll.conf'), 'airscan\n');
  await writeFile(
    join(folder, 'airscan.conf'),
    `[devices]\n"${NAME}" = ${url}, eSCL\n[options]\ndiscovery = disable\n`,
  );
  const env = { ...process.env, SANE_CONFIG_DIR: folder, LC_ALL: 'C' };
  const scanimage = (args: readonly string[]) =>
    new Promise<{ out: string; stderr: string; code: number }>(resolve => {
      execFile('scanimage', args, { env }, (error, out, stderr) =>
        resolve({ out, stderr, code: error ? Number(error.code ?? 1) : 0 }),
      );
    });
  const run: Airscan['run'] = args => scanimage(['-d', `airscan:e0:${NAME}`, ...args]);
  return {
    run,
    list: async () => (await scanimage(['-L'])).out,
    async scan(args) {
      const pages = await mkdtemp(join(tmpdir(), 'platen-airscan-'));
      try {
        const { stderr, code } = await run(['--format=png', `--batch=${join(pages, '%02d.png')}`, ...args]);
        const files = (await readdir(pages)).filter(name => name.endsWith('.png')).sort();
        return { pages: await Promise.all(files.map(name => readFile(join(pages, name)))), stderr, code };
      } finally {
        await rm(pages, { recursive: true, force: true });
      }
    },
  };
}

/** The files that the device sends for its current paper, with the settings of its last request. */
export async function again({ url, requests }: Device): Promise<Buffer[]> {
  const body = requests.findLast(({ method }) => method === 'POST')?.body ?? '';
  const job = (await fetch(`${url}/ScanJobs`, { method: 'POST', body })).headers.get('location') ?? '';
  const pages: Buffer[] = [];
  for (;;) {
    const answer = await fetch(`${job}/NextDocument`);
    if (answer.status !== 200) return pages;
    pages.push(Buffer.from(await answer.arrayBuffer()));
  }
}
