/** Pages per minute of `POST /scan` through the desktop application, compared with the same scanner in the service. */
import { desktopPlugin, startHost, untilFound } from '../topology/desktopHost.js';
import type { ScanTaking, ScanTask } from './client.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { stackName } from './plugin/stacks.js';
import { stacksOf, startServiceWith } from './service.js';

const WANTED = 0.9;
/** An odd number, so that the median is one of them. */
const ROUNDS = 5;

interface Scanner {
  /** Of the row. */
  readonly title: string;
  readonly name: string;
  /** The plugin that brings it, as an entry of a configuration. */
  readonly plugin: { readonly use: string; readonly options: object };
}

/** @param say tells a person what is going on */
export async function desktopRows(
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const pages = files.length;
  const scanners: readonly Scanner[] = [
    {
      title: 'virtual scanner',
      name: 'Feeder',
      plugin: {
        use: '@platen/driver-virtual',
        options: { scanners: [{ name: 'Feeder', feeder: true, samples: pages }] },
      },
    },
    // Its pages are in memory: the hardest for the channel, which has to carry what the service has already.
    {
      title: 'pages that cost nothing',
      name: stackName(pages),
      plugin: stacksOf({ files, stacks: [pages], hold: true }),
    },
  ];
  const rows: string[][] = [];
  for (const scanner of scanners)
    rows.push(...(await rowsOf(scanner, folder, pages, line => say(`${scanner.title}: ${line}`))));
  return table(
    [
      `${pages} A4 pages, 300 dpi, colour`,
      'driver in the service, pages/min',
      'through the channel, pages/min',
      'ratio',
      'wanted',
    ],
    rows,
  );
}

async function rowsOf(
  { title, name, plugin }: Scanner,
  folder: string,
  pages: number,
  say: (line: string) => void,
): Promise<string[][]> {
  const inside = await startServiceWith(folder, plugin);
  const through = await startServiceWith(folder, desktopPlugin);
  const host = await startHost({ dataDir: through.dataDir, plugins: [plugin] });
  await untilFound(through.port);
  const client = startHelper<ScanTask, ScanTaking>('client');
  try {
    const rows: string[][] = [];
    for (const imageFormat of ['Jpeg', 'Png'] as const) {
      const ask = ({ port }: { readonly port: number }): Promise<ScanTaking> =>
        client.run({ port, scannerName: name, imageFormat, pages, decode: false });
      say(`${imageFormat}: warming up`);
      sameImages(await ask(inside), await ask(through));
      const times = { inside: [] as number[], through: [] as number[] };
      for (let round = 1; round <= ROUNDS; round++) {
        const sides = [
          ['inside', inside],
          ['through', through],
        ] as const;
        for (const [side, service] of round % 2 ? sides : sides.toReversed()) times[side].push((await ask(service)).ms);
        say(
          `${imageFormat}, round ${round} of ${ROUNDS}: ${times.inside.at(-1)?.toFixed(0)} ms in the service, ${times.through.at(-1)?.toFixed(0)} ms through the channel`,
        );
      }
      rows.push(row(`${title}, ${imageFormat.toUpperCase()}`, pages, times));
    }
    return rows;
  } finally {
    client.end();
    await inside.stop();
    await through.stop();
    host.signal('SIGTERM');
    await host.ended;
  }
}

function row(
  title: string,
  pages: number,
  times: { readonly inside: readonly number[]; readonly through: readonly number[] },
): string[] {
  const [inside, through] = [times.inside, times.through].map(side => spreadOf(side.map(ms => (pages / ms) * 60_000)));
  const ratio = spreadOf(times.inside.map((ms, round) => ms / (times.through[round] ?? NaN)));
  return [
    title,
    inside ? spell(inside) : '',
    through ? spell(through) : '',
    spell(ratio, 2),
    `≥ ${WANTED.toFixed(2)}: ${ratio.median >= WANTED ? 'met' : 'missed'}`,
  ];
}

/** The channel changes no pixel, or the two sides do not do the same work. */
function sameImages(inside: ScanTaking, through: ScanTaking): void {
  inside.sizes.forEach((size, at) => {
    if (through.sizes[at] !== size)
      throw new Error(`Page ${at + 1} has ${size} bytes in the service, and ${through.sizes[at]} through the channel.`);
  });
}
