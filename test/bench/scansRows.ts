/** Pages per minute of a scan as a resource and of `POST /scan`, against the bare encoder on the same pages. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BareTaking, BareTask } from './bare.js';
import type { ScanTaking, ScanTask } from './client.js';
import type { FetchTaking, FetchTask } from './fetcher.js';
import { firstPageRows, type FirstPages } from './firstPageRows.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { stackName } from './plugin/stacks.js';
import { prepare, startService, type Service } from './service.js';

const WANTED = {
  Jpeg: { scans: 0.95, interface: 0.85, keep: 0.9 },
  Png: { scans: 1.9, interface: 1.6, keep: 0.9 },
} as const;
type ImageFormat = keyof typeof WANTED;
/** An odd number, so that the median is one of them. */
const ROUNDS = 5;

/** What the plugin adds to sharp's JPEG: a header of 18 bytes that carries the resolution. */
const JFIF = 18;

/** One round of one side. */
interface Taking {
  readonly ms: number;
  readonly sizes: readonly number[];
  /** Of the processor: the service's or the bare encoder's, and the client's. */
  readonly processor: { readonly own: number; readonly client: number };
  /** From the driver's last byte of page 1 to the client's. */
  readonly firstMs?: number;
}

const sideNames = ['scans', 'unkept', 'interface', 'bare'] as const;
type Side = (typeof sideNames)[number];
type Round = Readonly<Record<Side, Taking>>;

/** @param say tells a person what is going on */
export async function scansRows(
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const taken = [...(await roundsWith(true, folder, files, say)), ...(await roundsWith(false, folder, files, say))];
  const firsts: FirstPages[] = taken.flatMap(({ title, rounds }) => ({
    title,
    ms: rounds.map(({ scans }) => scans.firstMs ?? NaN),
  }));
  return [
    speedTable(files.length, taken),
    processorTable(files.length, taken),
    await firstPageRows(folder, files, firsts, say),
  ].join('\n\n');
}

interface Rows {
  readonly title: string;
  readonly imageFormat: ImageFormat;
  /** Whether ratios are wanted of it. */
  readonly judged: boolean;
  readonly rounds: readonly Round[];
}

/** @param hold pages are in memory on both sides before the clock starts; otherwise both read them as they need them */
async function roundsWith(
  hold: boolean,
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<Rows[]> {
  const pages = files.length;
  const scannerName = stackName(pages);
  const kept = await startStack(folder, { name: 'kept', files, hold, keep: true });
  const unkept = await startStack(folder, { name: 'unkept', files, hold, keep: false });
  const fetcher = startHelper<FetchTask, FetchTaking>('fetcher');
  const client = startHelper<ScanTask, ScanTaking>('client');
  const bare = startHelper<BareTask, BareTaking>('bare');
  try {
    const rows: Rows[] = [];
    for (const imageFormat of ['Jpeg', 'Png'] as const) {
      const lossless = imageFormat === 'Png' ? { files } : {};
      const fetchFrom = async (started: Started, check: boolean): Promise<Taking> => {
        await rm(started.log, { force: true });
        return measured(started, async ({ port }) => {
          const taking = await fetcher.run({ port, scannerName, imageFormat, pages, check, ...lossless });
          const [fed = ''] = (await readFile(started.log, 'utf8')).split('\n');
          return { ...taking, firstMs: Number(BigInt(taking.at[0] ?? 0) - BigInt(fed)) / 1e6 };
        });
      };
      const takes: Readonly<Record<Side, (check: boolean) => Promise<Taking>>> = {
        scans: check => fetchFrom(kept, check),
        unkept: check => fetchFrom(unkept, check),
        interface: check =>
          measured(kept, ({ port }) =>
            client.run({ port, scannerName, imageFormat, pages, decode: check, ...lossless }),
          ),
        bare: async () => {
          const { processorMs: own, ...taking } = await bare.run({ imageFormat, files, fromFiles: !hold });
          return { ...taking, processor: { own, client: 0 } };
        },
      };
      const takeAll = async (reversed: boolean, check: boolean): Promise<Round> => {
        const round: Partial<Record<Side, Taking>> = {};
        for (const side of reversed ? sideNames.toReversed() : sideNames) round[side] = await takes[side](check);
        return round as Round;
      };
      const title = `${imageFormat.toUpperCase()}, ${hold ? 'pages in memory' : 'pages read from files'}`;
      say(`${title}: warming up, and decoding every image`);
      sameImages(imageFormat, await takeAll(false, true));
      const rounds: Round[] = [];
      for (let number = 1; number <= ROUNDS; number++) {
        const round = await takeAll(number % 2 === 0, false);
        rounds.push(round);
        const times = sideNames.map(side => `${side} ${round[side].ms.toFixed(0)}`).join(', ');
        say(`${title}, round ${number} of ${ROUNDS}, ms: ${times}; first page ${round.scans.firstMs?.toFixed(0)}`);
      }
      rows.push({ title, imageFormat, judged: hold, rounds });
    }
    return rows;
  } finally {
    for (const each of [fetcher, client, bare]) each.end();
    await kept.service.stop();
    await unkept.service.stop();
  }
}

export interface Started {
  readonly service: Service;
  /** Where the driver records each page's last byte. */
  readonly log: string;
  /** Puts the pages of the next scan into memory, if they are held there. */
  prepare(): Promise<void>;
}

export interface StackWishes {
  /** Of its files, beside those of other stacks. */
  readonly name: string;
  /** Raw pages: the stack has one sheet of each. */
  readonly files: readonly string[];
  /** Pages are in memory before a scan begins. */
  readonly hold: boolean;
  /** `scans.keep`. */
  readonly keep: boolean;
}

export async function startStack(folder: string, { name, files, hold, keep }: StackWishes): Promise<Started> {
  const [ready, log] = [join(folder, `${name}.sock`), join(folder, `${name}.log`)];
  const wishes = { files, stacks: [files.length], hold, log, ...(hold ? { ready } : {}) };
  const service = await startService(folder, wishes, { config: { scans: { keep } } });
  return { service, log, prepare: async () => void (hold && (await prepare(ready))) };
}

/** A scan's time, and the processor's of the service during it. */
async function measured<
  T extends { readonly ms: number; readonly processorMs: number; readonly sizes: readonly number[] },
>({ service, prepare }: Started, take: (service: Service) => Promise<T>): Promise<Omit<T, 'processorMs'> & Taking> {
  await prepare();
  const before = await service.processorMs();
  const { processorMs: client, ...taking } = await take(service);
  const own = ((await service.processorMs()) ?? NaN) - (before ?? NaN);
  return { ...taking, processor: { own, client } };
}

/** The sides do the same work only while the encoders' settings are the same. PNG's encoder is ours: its files are no larger. */
function sameImages(imageFormat: ImageFormat, { bare, ...ours }: Round): void {
  for (const { sizes } of Object.values(ours))
    sizes.forEach((size, at) => {
      const theirs = bare.sizes[at] ?? NaN;
      if (imageFormat === 'Jpeg' ? size !== theirs + JFIF : !(size <= theirs))
        throw new Error(
          `${imageFormat} page ${at + 1} has ${size} bytes, the bare encoder's ${theirs}: the settings in bare.ts are not the plugin's.`,
        );
    });
}

function speedTable(pages: number, rows: readonly Rows[]): string {
  return table(
    [
      `${pages} A4 pages, 300 dpi, colour`,
      'MB',
      'bare encoder, pages/min',
      '`POST /api/scans`',
      'ratio',
      'wanted',
      '`scans.keep` false',
      'kept of unkept',
      'wanted',
      '`POST /scan`',
      'ratio',
      'allowed',
    ],
    rows.map(({ title, imageFormat, judged, rounds }) => {
      const wanted = WANTED[imageFormat];
      const speed = (side: Side): string => spell(spreadOf(rounds.map(round => (pages / round[side].ms) * 60_000)));
      const ratio = (side: Side, of: Side): number =>
        spreadOf(rounds.map(round => round[of].ms / round[side].ms)).median;
      const judge = (value: number, least: number): string[] => [
        value.toFixed(2),
        judged ? verdict('≥', value, least) : '',
      ];
      const megabytes = (rounds[0]?.scans.sizes ?? []).reduce((sum, size) => sum + size, 0) / 1e6;
      return [
        title,
        megabytes.toFixed(0),
        speed('bare'),
        speed('scans'),
        ...judge(ratio('scans', 'bare'), wanted.scans),
        speed('unkept'),
        ...judge(ratio('scans', 'unkept'), wanted.keep),
        speed('interface'),
        ...judge(ratio('interface', 'bare'), wanted.interface),
      ];
    }),
  );
}

function processorTable(pages: number, rows: readonly Rows[]): string {
  return table(
    [
      'processor, ms a page',
      'bare encoder',
      '`POST /api/scans`: service',
      'client',
      '`scans.keep` false: service',
      '`POST /scan`: service',
      'client',
    ],
    rows.map(({ title, rounds }) => {
      const of = (side: Side, which: 'own' | 'client'): string =>
        (spreadOf(rounds.map(round => round[side].processor[which])).median / pages).toFixed(1);
      return [
        title,
        of('bare', 'own'),
        of('scans', 'own'),
        of('scans', 'client'),
        of('unkept', 'own'),
        of('interface', 'own'),
        of('interface', 'client'),
      ];
    }),
  );
}
