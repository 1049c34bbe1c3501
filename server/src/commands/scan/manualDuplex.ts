/**
 * `--manual-duplex`: both sides with a feeder that scans one. It scans the fronts, waits until the stack is turned, scans
 * the backs, and counts both. Nothing is let go before the files are written.
 */
import type { Scan, ScanPage } from '@platen/client';
import { asSentence, InvalidValue, messageOf, ScanError, type Clock, type ScanNote } from '@platen/core';
import { ConfigError } from '../../machine/configError.js';
import type { Io } from '../../machine/io.js';
import { documentPath, type DocumentAsk } from './documentAsk.js';
import type { DocumentRun } from './documents.js';
import type { EnterKey } from './enterKey.js';
import type { FlagValues } from './flags.js';
import type { PagesRun } from './pages.js';
import { createProgress, type Progress } from './progress.js';
import type { ReachedService } from './reachedService.js';
import { documentAt, inTime, startScanRun, type ScanRequest } from './scanRun.js';

/** How the backs come out of the feeder: the last sheet first, or the first one. */
const orders = ['reversed', 'same'] as const;
export type BacksOrder = (typeof orders)[number];

export const manualDuplexHelp = `  ${'--manual-duplex [ORDER]'.padEnd(25)} both sides with a one-sided feeder: asks for the turned stack; ORDER of the backs is
${' '.repeat(28)}reversed, the last sheet first, or same (reversed)`;

const usage = (sentence: string): ConfigError => new ConfigError(sentence, { code: 'usage' });

/**
 * The order that `--manual-duplex` has; undefined without the flag.
 * @throws {ConfigError} naming a flag that cannot be used with it
 */
export function backsOrderOf(values: FlagValues): BacksOrder | undefined {
  const given = values['manual-duplex'];
  if (given === undefined) return undefined;
  const order = orders.find(each => each === String(given).toLowerCase());
  if (!order) throw usage(`--manual-duplex takes one of ${orders.join(', ')}, or nothing, which means ${orders[0]}.`);
  const wordOf = (name: string): string => String(values[name] ?? '').toLowerCase();
  if (!['', 'simplex'].includes(wordOf('duplex')))
    throw usage('--duplex cannot be used with --manual-duplex: the scanner scans both sides, or you turn the stack.');
  if (!['', 'feeder', 'auto'].includes(wordOf('source')))
    throw usage('--source takes Feeder with --manual-duplex: it scans a stack.');
  for (const name of ['separate', 'keep-separators'])
    if (values[name] !== undefined)
      throw usage(`--${name} cannot be used with --manual-duplex: a document's sides are in two scans.`);
  return order;
}

/** What each of the two scans is, whatever a profile says. */
export const oneSide: FlagValues = { duplex: 'simplex', source: 'Feeder' };

export interface ManualDuplexParts {
  readonly order: BacksOrder;
  readonly enter: Pick<EnterKey, 'isThere' | 'pressed'>;
  readonly io: Pick<Io, 'err' | 'hold'>;
  readonly clock: Clock;
  /** Rejects at the signal to stop. */
  readonly stopped: Promise<never>;
  /** Told of each note of the scans once. */
  onNote(note: ScanNote): void;
  /** Of the document that is written; absent: pages are. */
  readonly ask?: DocumentAsk;
}

/** Both scans, as the writers of files see one. */
export interface BothSides {
  /** In the order of the sheets, each front before its back; numbered as in the document. */
  readonly pages: readonly ScanPage[];
  readonly run: PagesRun & DocumentRun;
}

type Side = 'fronts' | 'backs';

interface Pass {
  readonly side: Side;
  readonly scan: Scan;
  readonly pages: readonly ScanPage[];
}

/**
 * @throws {ConfigError} before paper moves, if nobody can press Enter; why a scan failed, or was stopped: the pages stay
 */
export async function scanBothSides(
  request: ScanRequest,
  service: ReachedService,
  parts: ManualDuplexParts,
): Promise<BothSides> {
  const { order, io, clock, enter, stopped, onNote } = parts;
  if (!(await enter.isThere()))
    throw usage(
      '--manual-duplex waits for Enter on standard input, which is at its end: run it in a terminal, or write a line feed to it when the stack is turned.',
    );
  /** What is kept: the last is the one that is scanned, or was scanned last. */
  const passes: Pass[] = [];
  const kept = (): string => passes.map(pass => leftOf(pass, service, parts.ask)).join(' ');

  const noted = new Set<string>();
  const note = (each: ScanNote): void => {
    if (!noted.has(each.text)) onNote(each);
    noted.add(each.text);
  };

  /** @throws `why`, with how to get what is kept, if nobody presses Enter */
  const ask = async (text: string, why?: ScanError): Promise<void> => {
    io.err(text);
    const isPressed = await Promise.race([enter.pressed(), stopped]).catch((reason: ScanError) => reason);
    if (isPressed === true) return;
    const reason = isPressed || why || new ScanError('cancelled', 'Standard input ended.');
    throw new ScanError(reason.code, `${asSentence(reason.message)} ${kept()}`, { cause: reason });
  };

  async function scanned(side: Side, fronts = 0): Promise<Pass> {
    const pages: ScanPage[] = [];
    let progress: Progress;
    const take = async (page: ScanPage): Promise<undefined> => {
      pages.push(page);
      progress.page(sideOf(page, side, order, pages.length, fronts));
    };
    let continued: Scan | undefined;
    for (;;) {
      // A page's time does not include the person's.
      progress = createProgress(io, clock);
      const run = startScanRun({ ...request, ...(continued ? { continued } : {}) }, service, take);
      onStop(stopped, run, io);
      const failure = await run.over;
      run.notes.forEach(note);
      if (!continued && run.scan) passes.push({ side, scan: run.scan, pages });
      continued ??= run.scan;
      if (!failure && continued) return { side, scan: continued, pages };
      const reason = failure ?? new ScanError('internal', 'The scan was not accepted.');
      if (passes.length === 1 && pages.length === 0)
        await passes
          .pop()
          ?.scan.done(inTime())
          .catch(() => undefined);
      const isFinal = reason instanceof InvalidValue || reason.code === 'cancelled' || run.isLost;
      if (passes.length === 0) throw reason;
      if (isFinal) throw new ScanError(reason.code, `${asSentence(messageOf(reason))} ${kept()}`, { cause: reason });
      const stop = pages.length > 0 ? `stopped after ${counted(pages.length)}` : 'are not scanned';
      await ask(
        `The ${side} ${stop}. ${asSentence(messageOf(reason))} Load the sheets that are not scanned yet, and press Enter to continue. Ctrl-C keeps what is scanned.`,
        reason,
      );
    }
  }

  const fronts = await scanned('fronts');
  const count = fronts.pages.length;
  const [first, last] = order === 'reversed' ? ['last', 'first'] : ['first', 'last'];
  await ask(
    `Fronts: ${counted(count)}. Turn the whole stack over and load it: the ${first} sheet's back comes first, the ${last} sheet's last. Press Enter to scan the backs.`,
  );
  for (;;) {
    const backs = await scanned('backs', count);
    if (backs.pages.length === count) return bothSides(fronts, backs, passes, service, parts);
    const unequal = `The fronts are ${counted(count)}, the backs ${counted(backs.pages.length)}: a sheet is missing, or two were fed as one.`;
    await ask(
      `${unequal} Load all backs again, and press Enter to scan them again. Ctrl-C keeps what is scanned.`,
      new ScanError('double-feed', unequal),
    );
  }
}

/** Ends the scan at the signal to stop, after the current sheet. */
function onStop(stopped: Promise<never>, run: ReturnType<typeof startScanRun>, io: ManualDuplexParts['io']): void {
  let isOver = false;
  void run.over.finally(() => (isOver = true)).catch(() => undefined);
  stopped.catch((reason: ScanError) => {
    if (isOver) return;
    io.err('Stopping after the current sheet. Press Ctrl-C again to stop at once.');
    io.hold?.(run.end(reason));
  });
}

function bothSides(
  fronts: Pass,
  backs: Pass,
  passes: readonly Pass[],
  service: ReachedService,
  { order }: ManualDuplexParts,
): BothSides {
  const count = fronts.pages.length;
  const pages = [fronts, backs]
    .flatMap(({ side, pages: all }) => all.map((page, at) => sideOf(page, side, order, at + 1, count)))
    .sort((one, other) => one.number - other.number);
  const left = (ask?: DocumentAsk): string => [fronts, backs].map(pass => leftOf(pass, service, ask)).join(' ');
  const run: BothSides['run'] = {
    started: Promise.resolve(true),
    over: Promise.resolve(undefined),
    isLost: false,
    end: async () => undefined,
    documents: async () => [],
    document: ({ format, title, rotate, searchable, barcodes }) => {
      const interleave = { fronts: fronts.scan.id, backs: backs.scan.id, backsOrder: order, rotate };
      const wishes = { title, barcodes: barcodes === 'true', ...(searchable ? { searchable: false } : {}) };
      return documentAt('/api/documents', service.calls, { method: 'POST', body: { format, ...wishes, interleave } });
    },
    async release() {
      await Promise.all(passes.map(({ scan }) => scan.done(inTime()).catch(() => undefined)));
    },
    leftOver: left,
    leftPages: () => left(),
  };
  return { pages, run };
}

/**
 * A page as it is numbered in the document.
 * @param at its place in its scan, from 1. @param count of sheets
 */
function sideOf(page: ScanPage, side: Side, order: BacksOrder, at: number, count: number): ScanPage {
  if (side === 'fronts') return { ...page, number: 2 * at - 1, sheet: at, side: 'front' };
  // A back without a front has a sheet of its own.
  const sheet = order === 'reversed' && at <= count ? count + 1 - at : at;
  return { ...page, number: 2 * sheet, sheet, side: 'back' };
}

/** Says how to get the pages of a scan: as a document, or one by one. */
function leftOf({ side, scan, pages }: Pass, { left }: ReachedService, ask?: DocumentAsk): string {
  const what = `The ${side} (${counted(pages.length)}) are`;
  if (!ask) return left(what, `/api/scans/${scan.id}`, false);
  // Turns and numbers of pages are those of the whole document.
  const { rotate: _rotate, pages: listed, ...others } = ask;
  return left(what, documentPath(scan.id, { ...others, ...(listed ? { pages: `1-${pages.length}` } : {}) }));
}

const counted = (count: number): string => (count === 1 ? '1 page' : `${count} pages`);
