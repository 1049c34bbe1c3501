/** An installation, from its command to the first page of SANE's test backend: by npm, and as a deb on a bare Debian. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildInstaller } from '../installers/build.js';
import { installation, prepare, visit } from '../installers/deb.js';
import { unpackDebian } from '../installers/debian.js';
import { loadParts } from '../tools/releaseParts.js';
import { spell, spreadOf, table, verdict } from './numbers.js';

const ROUNDS = 3;
const root = fileURLToPath(new URL('../../../', import.meta.url));

export async function installRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say('an installation by npm and by apt: staging takes minutes, unless it was done before');
  const own = join(folder, 'install');
  await mkdir(own);
  return [await npmTable(own, say), await debTable(own, say)].join('\n\n');
}

/** As a person installs it, with a registry on loopback that has every package, and no compiler in PATH. */
async function npmTable(folder: string, say: (line: string) => void): Promise<string> {
  const { ensureRelease, startRegistry, installAndScan } = await loadParts();
  const { version } = JSON.parse(await readFile(join(root, 'lerna.json'), 'utf8')) as { version: string };
  const { tarballs } = await ensureRelease({ version });
  const registry = await startRegistry({ folder: join(folder, 'registry') });
  const install = async (desk: string, cache: string) => {
    const options = { registry: registry.url, version, cache: join(folder, cache) };
    const { figures } = await installAndScan({ folder: join(folder, desk), ...options });
    say(`npm: first page after ${figures.seconds.toFixed(1)} s`);
    return figures;
  };
  try {
    for (const { file } of tarballs) await registry.publish(file);
    // The registry fetches the packages of others.
    await install('first', 'cache');
    const [cold, warm] = [[], []] as [Figures[], Figures[]];
    for (let round = 1; round <= ROUNDS; round++) {
      cold.push(await install(`cold-${round}`, `cache-${round}`));
      warm.push(await install(`warm-${round}`, 'cache'));
    }
    const seconds = (what: string, all: readonly Figures[], wanted?: number): string[] => {
      const spread = spreadOf(all.map(each => each.seconds));
      return [what, spell(spread, 1), wanted === undefined ? '' : verdict('≤', spread.median, wanted, 0)];
    };
    const [{ packages = NaN, megabytes = NaN } = {}] = cold;
    return table(
      ['`npm i @platen/server`, registry on loopback, no compiler', 'measured', 'wanted'],
      [
        seconds('s to the first page, npm’s cache empty', cold, 20),
        seconds('s to the first page, packages in npm’s cache', warm),
        ['MB', megabytes.toFixed(0), verdict('≤', megabytes, 120, 0)],
        ['packages of others', String(packages), verdict('≤', packages, 20, 0)],
      ],
    );
  } finally {
    await registry.stop();
  }
}

type Figures = Awaited<ReturnType<Awaited<ReturnType<typeof loadParts>>['installAndScan']>>['figures'];

/** It takes root. Debian's own packages come from its archive, whose lists are up to date. */
async function debTable(folder: string, say: (line: string) => void): Promise<string> {
  const deb = await buildInstaller('deb', folder);
  const times: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const debian = await unpackDebian();
    try {
      await prepare(debian, deb);
      const began = performance.now();
      await debian.run(...installation);
      const booted = await debian.boot();
      try {
        const { status, pages } = await visit(debian, booted);
        times.push((performance.now() - began) / 1000);
        if (status !== 200 || pages === 0) throw new Error(`The installed service answered ${status}.`);
      } finally {
        await booted.stop();
      }
    } finally {
      await debian.remove();
    }
    say(`deb: first page after ${times.at(-1)?.toFixed(1)} s`);
  }
  const spread = spreadOf(times);
  return table(
    ['`apt-get install ./platen.deb` on a bare Debian', 'measured', 'wanted'],
    [['s to the first pages, systemd’s boot included', spell(spread, 1), verdict('≤', spread.median, 60, 0)]],
  );
}
