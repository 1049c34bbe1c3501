/**
 * Time of each adjustment of a page, beside the closest single operation of sharp; and how readable 1-bit pages are.
 */
import { fileURLToPath } from 'node:url';
import type { Processor, RawPage } from '@platen/core/plugin';
import adjust from '@platen/adjust';
import sharp, { type Sharp } from 'sharp';
import { printTable } from './adjustPrint.js';
import { spell, spreadOf, table } from './numbers.js';

const WANTED_MS = 150;
const ROUNDS = 15;
/** Threads start and code gets hot. */
const WARM_UP = 4;
const a4 = { width: 2480, height: 3508 } as const;
const call = { signal: new AbortController().signal };
const letter = fileURLToPath(new URL('../../../drivers/virtual/samples/letter.png', import.meta.url));

interface Work {
  readonly name: string;
  readonly adjustment: Processor['adjustment'];
  readonly page: RawPage;
  /** As sharp does it when it is told what to do: nothing is looked for. */
  readonly bare: readonly [name: string, step: (image: Sharp) => Sharp];
}

export async function adjustRows(
  _folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const { processors = [], close } = await adjust.setup({
    options: { adjustments: ['turn', 'rotate', 'deskew', 'crop', 'color'], threads: 0 },
    log: { debug() {}, info() {}, warn: say, error: say },
    dataDir: '/',
  });
  try {
    const rows: string[][] = [];
    for (const work of await works())
      rows.push(
        await rowOf(
          work,
          processors.find((each): each is Processor => each.adjustment === work.adjustment)!,
          say,
        ),
      );
    const speed = table(
      ['A4, 300 dpi, one page at a time', 'ours, ms', 'bare step of sharp', 'its time, ms', 'ratio', 'wanted'],
      rows,
    );
    return [
      speed,
      await printTable(
        processors.find((each): each is Processor => each.adjustment === 'color')!,
        say,
      ),
    ].join('\n\n');
  } finally {
    await close?.();
  }
}

async function works(): Promise<Work[]> {
  const grey = await pageOf(sharp(letter));
  const askew = await pageOf(sharp(letter).rotate(3, { background: 'white' }));
  const dark = await pageOf(sharp(letter).extend({ top: 90, bottom: 90, left: 90, right: 90, background: '#181818' }));
  const colour = await pageOf(sharp(letter), 3);
  const upsideDown = await pageOf(sharp(letter).rotate(180));
  const sideways = await pageOf(sharp(letter).rotate(90));
  const none: Work['bare'] = ['reduce to 100 dpi', image => image.resize(827)];
  const threshold: Work['bare'] = ['fixed threshold', image => image.greyscale().threshold(128)];
  return [
    { name: 'turn', adjustment: 'turn', page: grey, bare: ['rotate(180)', image => image.rotate(180)] },
    { name: 'rotate, upright already', adjustment: 'rotate', page: grey, bare: none },
    {
      name: 'rotate, upside-down',
      adjustment: 'rotate',
      page: upsideDown,
      bare: ['rotate(180)', image => image.rotate(180)],
    },
    {
      name: 'rotate, sideways',
      adjustment: 'rotate',
      page: sideways,
      bare: ['rotate(270)', image => image.rotate(270)],
    },
    { name: 'deskew, straight already', adjustment: 'deskew', page: grey, bare: none },
    {
      name: 'deskew by 3°',
      adjustment: 'deskew',
      page: askew,
      bare: ['rotate(-3)', image => image.rotate(-3, { background: 'white' })],
    },
    {
      name: 'crop',
      adjustment: 'crop',
      page: dark,
      bare: ['extract', image => image.extract({ left: 120, top: 120, width: 2240, height: 3268 })],
    },
    { name: 'grey to 1-bit', adjustment: 'color', page: grey, bare: threshold },
    {
      name: 'deskew by 3°, colour',
      adjustment: 'deskew',
      page: await pageOf(sharp(letter).rotate(3, { background: 'white' }), 3),
      bare: ['rotate(-3)', image => image.rotate(-3, { background: 'white' })],
    },
    { name: 'colour to 1-bit', adjustment: 'color', page: colour, bare: threshold },
  ];
}

/** Grain as scanners have it, so that nothing is easier than it is. */
async function pageOf(image: Sharp, channels: 1 | 3 = 1): Promise<RawPage> {
  const whole = await sharp(await image.png().toBuffer())
    .resize({ ...a4, fit: 'fill' })
    .png()
    .toBuffer();
  const noise = await sharp({
    create: { ...a4, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 10, sigma: 5 } },
  })
    .raw()
    .toBuffer();
  const grained = sharp(
    await sharp(whole)
      .toColourspace('srgb')
      .composite([{ input: noise, raw: { ...a4, channels: 3 }, blend: 'difference' }])
      .png()
      .toBuffer(),
  ).removeAlpha();
  const data = await (channels === 3 ? grained.toColourspace('srgb') : grained.greyscale().toColourspace('b-w'))
    .raw()
    .toBuffer();
  return {
    kind: 'raw',
    sheet: 1,
    side: 'front',
    ...a4,
    dpi: 300,
    pixels: channels === 3 ? 'rgb24' : 'gray8',
    stride: a4.width * channels,
    data,
  };
}

async function rowOf(
  { name, page, bare: [bareName, step] }: Work,
  processor: Processor,
  say: (line: string) => void,
): Promise<string[]> {
  const { width, height } = page;
  const ours: number[] = [];
  const theirs: number[] = [];
  const sides = [
    async () => {
      const began = performance.now();
      await processor.apply(page, { colorMode: 'BlackAndWhite' }, call);
      ours.push(performance.now() - began);
    },
    async () => {
      const began = performance.now();
      await step(sharp(page.data, { raw: { width, height, channels: page.pixels === 'rgb24' ? 3 : 1 } }))
        .raw()
        .toBuffer();
      theirs.push(performance.now() - began);
    },
  ];
  for (let round = 0; round < ROUNDS + WARM_UP; round++)
    for (const side of round % 2 ? sides : [...sides].reverse()) await side();
  const [our, their] = [spreadOf(ours.slice(WARM_UP)), spreadOf(theirs.slice(WARM_UP))];
  say(`${name}: ${spell(our)} ms, ${bareName} ${spell(their)} ms`);
  const verdict = page.pixels === 'gray8' ? `≤ ${WANTED_MS}: ${our.median <= WANTED_MS ? 'met' : 'missed'}` : '';
  return [name, spell(our), bareName, spell(their), (our.median / their.median).toFixed(1), verdict];
}
