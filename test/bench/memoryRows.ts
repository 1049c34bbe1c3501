/** The most memory that a service takes for a short PNG scan and for a long one. */
import type { ScanTaking, ScanTask } from './client.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { stackName } from './plugin/stacks.js';
import { startService } from './service.js';

const SHORT = 40;
export const LONG = 200;
/** "The same", give or take what a garbage collector does. */
const WANTED = 1.1;
const ROUNDS = 3;

/** @param say tells a person what is going on */
export async function memoryRows(
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const short: number[] = [];
  const long: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [pages, peaks] of [
      [SHORT, short],
      [LONG, long],
    ] as const) {
      const peak = await peakOf(pages, folder, files);
      if (peak === undefined)
        return 'Peak memory is measured on Linux only: this system does not say what a process had resident.';
      peaks.push(peak);
      say(`PNG, ${pages} pages, round ${round} of ${ROUNDS}: ${(peak / 1e6).toFixed(0)} MB`);
    }
  }
  const [one, other] = [spreadOf(short), spreadOf(long)];
  const ratio = other.median / one.median;
  const megabytes = (spread: typeof one): string =>
    spell({ median: spread.median / 1e6, min: spread.min / 1e6, max: spread.max / 1e6 });
  return table(
    ['peak memory of a PNG scan', `${SHORT} pages, MB`, `${LONG} pages, MB`, 'ratio', 'wanted'],
    [
      [
        'resident, a fresh service each',
        megabytes(one),
        megabytes(other),
        ratio.toFixed(2),
        `≤ ${WANTED.toFixed(2)}: ${ratio <= WANTED ? 'met' : 'missed'}`,
      ],
    ],
  );
}

async function peakOf(pages: number, folder: string, files: readonly string[]): Promise<number | undefined> {
  const service = await startService(folder, { files, stacks: [pages], hold: false });
  const client = startHelper<ScanTask, ScanTaking>('client');
  try {
    if ((await service.peakBytes()) === undefined) return undefined;
    await client.run({ port: service.port, scannerName: stackName(pages), imageFormat: 'Png', pages, decode: false });
    return await service.peakBytes();
  } finally {
    client.end();
    await service.stop();
  }
}
