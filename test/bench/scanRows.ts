/** Pages per minute of `POST /scan`, against the bare encoder on the same pages. */
import type { BareTaking, BareTask } from './bare.js';
import type { ScanTaking, ScanTask } from './client.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { stackName } from './plugin/stacks.js';
import { startService } from './service.js';

const WANTED = 0.9;
/** An odd number, so that the median is one of them. */
const ROUNDS = 5;

/** What the plugin adds to sharp's file: a JFIF header of 18 bytes that carries the resolution. */
const added = { Png: 0, Jpeg: 18 } as const;

type Round = { readonly ours: ScanTaking; readonly bare: BareTaking };

/** @param say tells a person what is going on */
export async function scanRows(folder: string, files: readonly string[], say: (line: string) => void): Promise<string> {
  const rows = [...(await rowsWith(true, folder, files, say)), ...(await rowsWith(false, folder, files, say))];
  return table(
    [
      `${files.length} A4 pages, 300 dpi, colour`,
      'MB',
      '`POST /scan`, pages/min',
      'of that sending, ms',
      'bare encoder, pages/min',
      'ratio',
      'wanted',
    ],
    rows,
  );
}

/** @param hold pages are in memory on both sides; otherwise both read them from files as they need them */
async function rowsWith(
  hold: boolean,
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string[][]> {
  const pages = files.length;
  const service = await startService(folder, { files, stacks: [pages], hold });
  const client = startHelper<ScanTask, ScanTaking>('client');
  const bare = startHelper<BareTask, BareTaking>('bare');
  try {
    const rows: string[][] = [];
    for (const imageFormat of ['Jpeg', 'Png'] as const) {
      const title = `${imageFormat.toUpperCase()}, ${hold ? 'pages in memory' : 'pages read from files'}`;
      const ask = (decode: boolean): Promise<ScanTaking> =>
        client.run({ port: service.port, scannerName: stackName(pages), imageFormat, pages, decode });
      say(`${title}: warming up, and decoding every image`);
      sameImages(imageFormat, await ask(true), await bare.run({ imageFormat, files, fromFiles: !hold }));
      const rounds: Round[] = [];
      for (let round = 1; round <= ROUNDS; round++) {
        const one = { ours: await ask(false), bare: await bare.run({ imageFormat, files, fromFiles: !hold }) };
        rounds.push(one);
        say(
          `${title}, round ${round} of ${ROUNDS}: ${one.ours.ms.toFixed(0)} ms, of which sending ${one.ours.sendingMs.toFixed(0)} ms; bare ${one.bare.ms.toFixed(0)} ms`,
        );
      }
      rows.push(row(title, pages, rounds, hold));
    }
    return rows;
  } finally {
    client.end();
    bare.end();
    await service.stop();
  }
}

/** @param judged has a wanted ratio */
function row(title: string, pages: number, rounds: readonly Round[], judged: boolean): string[] {
  const perMinute = (ms: number): number => (pages / ms) * 60_000;
  const ours = spreadOf(rounds.map(each => perMinute(each.ours.ms)));
  const bare = spreadOf(rounds.map(each => perMinute(each.bare.ms)));
  const ratio = ours.median / bare.median;
  const megabytes = (rounds[0]?.ours.sizes ?? []).reduce((sum, size) => sum + size, 0) / 1e6;
  const sending = spreadOf(rounds.map(each => each.ours.sendingMs));
  const verdict = judged ? `≥ ${WANTED.toFixed(2)}: ${ratio >= WANTED ? 'met' : 'missed'}` : '';
  return [title, megabytes.toFixed(0), spell(ours), spell(sending), spell(bare), ratio.toFixed(2), verdict];
}

/** The two sides do the same work only while the encoders' settings are the same. */
function sameImages(imageFormat: keyof typeof added, { sizes }: ScanTaking, bare: BareTaking): void {
  sizes.forEach((size, at) => {
    const expected = (bare.sizes[at] ?? NaN) + added[imageFormat];
    if (size !== expected)
      throw new Error(
        `${imageFormat} page ${at + 1} has ${size} bytes, the bare encoder's ${expected}: the settings in bare.ts are not the plugin's.`,
      );
  });
}
