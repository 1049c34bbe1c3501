/** Scans whose pages cost nothing, beside the bare encoder (sharp) on the same pages. */
import type { BareTaking, BareTask } from '../bare.js';
import type { FetchTaking, FetchTask } from '../fetcher.js';
import { startHelper } from '../helper.js';
import { spreadOf } from '../numbers.js';
import { stackName } from '../plugin/stacks.js';
import { startStack, type Started } from '../scansRows.js';
import { checked } from './checked.js';
import { STACK, type Group, type Plan, type Taking } from './row.js';

/** Of a single page in a round: their median is the round's. */
const SINGLES = 5;
/**
 * A page alone was to take 0.45 (PNG) and 0.78 (JPEG) of what it took: 288 ms beside an encoder of 244 ms, and 62 beside
 * 39.
 */
const ALONE = { Png: (0.45 * 288) / 244, Jpeg: (0.78 * 62) / 39 };

type Key = 'png' | 'jpeg' | 'onePng' | 'oneJpeg';

const plan = (pages: string, format: string): Pick<Plan, 'what' | 'peer' | 'checked'> => ({
  what: `${pages}, 300 dpi, color, ${format}: \`POST /api/scans\` to the last byte`,
  peer: 'sharp alone',
  checked: 'pixels, digests',
});
const stack = `${STACK} A4 pages`;

export const encoder: Group<Key> = {
  needs: [],
  rows: {
    png: { ...plan(stack, 'PNG'), unit: 'pages/min', wanted: { sign: '≥', value: 1.9 } },
    jpeg: { ...plan(stack, 'JPEG'), unit: 'pages/min', wanted: { sign: '≥', value: 0.95 } },
    onePng: { ...plan('One A4 page', 'PNG'), unit: 'ms', wanted: { sign: '≤', value: ALONE.Png } },
    oneJpeg: { ...plan('One A4 page', 'JPEG'), unit: 'ms', wanted: { sign: '≤', value: ALONE.Jpeg } },
  },
  async measure({ folder, files: draw, say }) {
    const files = await draw();
    const [many, one] = [
      await startStack(folder, { name: 'many', files, hold: true, keep: true }),
      await startStack(folder, { name: 'one', files: files.slice(0, 1), hold: true, keep: true }),
    ];
    const fetcher = startHelper<FetchTask, FetchTaking>('fetcher');
    const bare = startHelper<BareTask, BareTaking>('bare');
    const sides = (started: Started, imageFormat: 'Png' | 'Jpeg', count: number) => ({
      async ours(save?: string) {
        await started.prepare();
        const { port } = started.service;
        const task = { port, scannerName: stackName(count), imageFormat, pages: count, check: save !== undefined };
        const originals = imageFormat === 'Png' ? { files: files.slice(0, count) } : {};
        return (await fetcher.run({ ...task, ...originals, ...(save && { save }) })).ms;
      },
      theirs: async (save?: string) =>
        (await bare.run({ imageFormat, files: files.slice(0, count), ...(save && { save }) })).ms,
    });
    const speed = async (imageFormat: 'Png' | 'Jpeg'): Promise<Taking> => {
      const { ours, theirs } = sides(many, imageFormat, files.length);
      const perMinute = (ms: number): number => (files.length / ms) * 60_000;
      return checked({ folder, say }, `${stack}, ${imageFormat}, pages/min`, files.length, {
        ours: async save => perMinute(await ours(save)),
        theirs: async save => perMinute(await theirs(save)),
      });
    };
    const single = (imageFormat: 'Png' | 'Jpeg'): Promise<Taking> => {
      const { ours, theirs } = sides(one, imageFormat, 1);
      return checked({ folder, say }, `One A4 page, ${imageFormat}, ms`, 1, {
        ours: save => medianOf(() => ours(save)),
        theirs: save => medianOf(() => theirs(save)),
      });
    };
    try {
      return {
        png: await speed('Png'),
        jpeg: await speed('Jpeg'),
        onePng: await single('Png'),
        oneJpeg: await single('Jpeg'),
      };
    } finally {
      for (const each of [fetcher, bare]) each.end();
      for (const { service } of [many, one]) await service.stop();
    }
  },
};

async function medianOf(take: () => Promise<number>): Promise<number> {
  const values: number[] = [];
  for (let count = 0; count < SINGLES; count++) values.push(await take());
  return spreadOf(values).median;
}
