/** How long a page of auto-scan takes to its reader, and whether many readers slow the feeding. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encoderAlone } from './firstPageRows.js';
import { startHelper } from './helper.js';
import { spell, spreadOf, table } from './numbers.js';
import { PACED, pacedPlugin, type PacedOptions } from './plugin/paced.js';
import type { ReadersTaking, ReadersTask } from './readers.js';
import { startServiceWith } from './service.js';
import { sheet } from './sheets.js';

const PAGES = 20;
/** A fast office scanner: 60 pages a minute. */
const MS_PER_PAGE = 1000;
const MANY = 50;
const WANTED_MS = 30;

interface Taking {
  /** For each page, milliseconds from the driver's last byte to the first and to the last reader's whole event. */
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Milliseconds from the first page's last byte to the last page's. */
  readonly feeding: number;
}

/** @param say tells a person what is going on */
export async function eventRows(
  folder: string,
  files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  const encoding = await encoderAlone(files, 'Jpeg');
  const one = await take(folder, files, 1);
  say(`one reader: ${spell(spreadOf(one.first))} ms from the driver's last byte to the event`);
  const many = await take(folder, files, MANY);
  say(
    `${MANY} readers: ${spell(spreadOf(many.last))} ms to the last one's event; feeding ${many.feeding.toFixed(0)} ms, with one reader ${one.feeding.toFixed(0)} ms`,
  );

  const delay = spreadOf(one.first);
  const encoder = spreadOf(encoding);
  const added = delay.median - encoder.median;
  const ratio = many.feeding / one.feeding;
  const latency = table(
    [
      'auto-scan, A4 300 dpi colour JPEG',
      'driver’s last byte to event, ms',
      'encoder alone, ms',
      'added, ms',
      'wanted',
    ],
    [
      [
        '1 reader',
        spell(delay),
        spell(encoder),
        added.toFixed(0),
        `≤ ${WANTED_MS}: ${added <= WANTED_MS ? 'met' : 'missed'}`,
      ],
    ],
  );
  const feeding = table(
    [`feeding ${PAGES} pages at ${60_000 / MS_PER_PAGE} a minute`, 'ms', 'last reader’s event, ms', 'ratio', 'wanted'],
    [
      ['1 reader', one.feeding.toFixed(0), spell(spreadOf(one.last)), '', ''],
      [
        `${MANY} readers`,
        many.feeding.toFixed(0),
        spell(spreadOf(many.last)),
        ratio.toFixed(2),
        `≤ 1.05: ${ratio <= 1.05 ? 'met' : 'missed'}`,
      ],
    ],
  );
  return `${latency}\n\n${feeding}`;
}

async function take(folder: string, files: readonly string[], readers: number): Promise<Taking> {
  const go = join(folder, `go-${readers}`);
  const log = join(folder, `fed-${readers}`);
  const options: PacedOptions = {
    files,
    width: sheet.width,
    height: sheet.height,
    dpi: sheet.dpi,
    sheets: PAGES,
    msPerPage: MS_PER_PAGE,
    go,
    log,
  };
  const service = await startServiceWith(folder, { use: pacedPlugin, options });
  const helper = startHelper<ReadersTask, ReadersTaking>('readers');
  try {
    const { first, last } = await helper.run({ port: service.port, scannerName: PACED, readers, pages: PAGES, go });
    const fed = (await readFile(log, 'utf8')).trim().split('\n').map(BigInt);
    const after = (times: readonly string[]): number[] =>
      times.map((time, at) => Number(BigInt(time) - (fed[at] ?? 0n)) / 1e6);
    return { first: after(first), last: after(last), feeding: Number((fed.at(-1) ?? 0n) - (fed[0] ?? 0n)) / 1e6 };
  } finally {
    helper.end();
    await service.stop();
  }
}
