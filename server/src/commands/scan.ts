/** `platen scan`: scans into files, as a client of the service that has the data folder, or of one in this process. */
import { ScanError, systemClock, type Log, type ScanNote } from '@platen/core';
import { ConfigError } from '../machine/configError.js';
import { resolveSettings } from '../machine/config/settings.js';
import { printable } from '../machine/printable.js';
import { exitCodes } from '../machine/exitCodes.js';
import type { Io } from '../machine/io.js';
import {
  asUsage,
  noteInFlags,
  parametersOf,
  wishFlags,
  wishHelp,
  wishOptions,
  withBareDuplex,
  withNegatives,
  type FlagValues,
} from './scan/flags.js';
import type { DocumentAsk } from './scan/documentAsk.js';
import { documentFlagNames, documentHelp, documentOptions } from './scan/documentFlags.js';
import { createDocumentWriter } from './scan/documents.js';
import { enterKey } from './scan/enterKey.js';
import {
  backsOrderOf,
  manualDuplexHelp,
  oneSide,
  scanBothSides,
  type BothSides,
  type ManualDuplexParts,
} from './scan/manualDuplex.js';
import { openService } from './scan/openService.js';
import { outFiles, type OutFiles } from './scan/outFiles.js';
import { createPageWriter } from './scan/pages.js';
import { createProgress } from './scan/progress.js';
import type { ReachedService } from './scan/reachedService.js';
import { startScanRun, type ScanRequest, type ScanRun } from './scan/scanRun.js';
import { allScanners, chooseScanner, scannerLine } from './scan/scanners.js';
import { keepSeparatorsHelp } from './scan/separateFlag.js';
import { arePages, pageFormatOf, targetOf } from './scan/target.js';
import { command } from './command.js';

const help = `platen scan [--scanner NAME] --out FILE [flags]
platen scan --list [--json]

Scans into files: through the service that uses the data folder, or without a running service. Prints each file's name
to standard output, and a line of progress per page to standard error.

  --scanner NAME            required if there are several scanners
  --wait SECONDS            wait for a scanner in use, first come, first served, at most 3600
  --out FILE                letter.pdf: one document. page-%d.png or page-%03d.png: a file per page; without %d,
                            page.png is followed by page-2.png. scan.tif is one document, page-%d.tif a file per page.
                            With --separate, %d counts documents
  --force                   overwrite existing files
  --json                    print one JSON object per file, or per scanner, to standard output
  --config FILE             the configuration (PLATEN_CONFIG); a running service has its own
  --verbose                 print all messages of plugins and drivers to standard error, and whether a service scans
${manualDuplexHelp}
${wishHelp}

Documents only:
${documentHelp}
${keepSeparatorsHelp}

Ctrl-C stops feeding and finishes the current sheet; a second Ctrl-C stops at once. Scanned pages are kept, however the
scan ends. Pages that cannot be written wait in the service, or in the data folder for the next service.`;

const options = {
  ...wishOptions,
  ...documentOptions,
  ...Object.fromEntries(
    ['scanner', 'out', 'config', 'wait', 'manual-duplex'].map(name => [name, { type: 'string' as const }]),
  ),
  ...Object.fromEntries(['list', 'force', 'json', 'verbose'].map(name => [name, { type: 'boolean' as const }])),
};

interface Call {
  readonly values: FlagValues;
  readonly io: Io;
  /** Rejects at the signal to stop. */
  readonly stopped: Promise<never>;
  /** How the backs are scanned after the fronts; absent: one scan has all pages. */
  readonly bySide?: Pick<ManualDuplexParts, 'order' | 'enter'>;
}

/** @param signalled resolves at a signal to stop */
export const scan = command(
  {
    help,
    exits: ['configuration', 'certificate', 'dataFolderInUse', 'scanFailed', 'noPaper', 'stopped'],
    options,
    spell: args => withBareDuplex(withNegatives(args)),
  },
  async ({ values: flags, io }, signalled: Promise<unknown>): Promise<number | 'usage'> => {
    const order = backsOrderOf(flags as FlagValues);
    const values: FlagValues = { ...(flags as FlagValues), ...(order ? oneSide : {}) };
    const stopped = signalled.then(() => {
      throw new ScanError('cancelled', 'The scan was stopped.');
    });
    stopped.catch(() => undefined);
    const listing = { values, io, stopped };
    if (values['list']) return withService(listing, service => list(listing, service));

    const files = filesOf(values, io.cwd);
    const isPages = arePages(files, values);
    // Rejects other flags, too, before anything is opened.
    const pages = parametersOf({ ...values, format: values['format'] ?? files.format });
    waitSecondsOf(values);
    await files.check(isPages || values['separate'] !== undefined ? 'several' : 'one');
    const bySide = order && { order, enter: enterKey() };
    const call = { values, io, stopped, ...(bySide ? { bySide } : {}) };
    return withService(call, async service => {
      const target = isPages ? undefined : await Promise.race([targetOf(files, values, service), stopped]);
      if (target && 'document' in target) {
        const ask = target.document;
        const parameters = parametersOf({ ...values, format: values['format'] ?? pageFormatOf(ask, values) });
        return scanDocuments(files, ask, { parameters, call, service });
      }
      await files.check();
      const parameters = target ? parametersOf({ ...values, format: target.pages }) : pages;
      return scanPages(files, { parameters, call, service });
    })
      .catch((error: unknown) => {
        throw asUsage(error);
      })
      .finally(() => bySide?.enter.close());
  },
);

function filesOf(values: FlagValues, cwd: string): OutFiles {
  const out = values['out'];
  if (typeof out !== 'string')
    throw new ConfigError('--out is missing. Give it a file name, such as letter.pdf or page-%d.png.', {
      code: 'usage',
    });
  return outFiles(out, { cwd, force: values['force'] === true });
}

/** Runs `use` with the service that has the scanners, and leaves it. */
async function withService(
  { values, io, stopped }: Call,
  use: (service: ReachedService) => Promise<number>,
): Promise<number> {
  const config = values['config'] as string | undefined;
  const settings = resolveSettings({ flags: { config }, env: io.env, cwd: io.cwd });
  const logFor = (part: string): Log => logTo(io, part, values);
  const isConfigGiven = config !== undefined;
  const service = await openService({ settings, isConfigGiven, clock: systemClock, stopped, logFor });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

async function list({ values, io, stopped }: Call, service: ReachedService): Promise<number> {
  for (const name of [
    'out',
    'scanner',
    'force',
    'wait',
    'manual-duplex',
    ...Object.keys(wishFlags),
    ...documentFlagNames,
    'keep-separators',
  ]) {
    if (values[name] !== undefined) throw new ConfigError(`--${name} cannot be used with --list.`, { code: 'usage' });
  }
  const found = await Promise.race([allScanners(service, systemClock), stopped]);
  for (const each of found) io.out(values['json'] ? JSON.stringify(each) : scannerLine(each));
  if (found.length === 0) io.err('No scanner found. Connect one, or install its driver.');
  return exitCodes.ok;
}

interface Scanning extends Pick<ScanRequest, 'parameters'> {
  readonly call: Call;
  readonly service: ReachedService;
}

async function scanPages(files: OutFiles, { parameters, call, service }: Scanning): Promise<number> {
  const scannerName = await scannerOf(call, service);
  const parts = { files, io: call.io, clock: systemClock, json: call.values['json'] === true };
  if (call.bySide) {
    const writer = createPageWriter({ ...parts, progress: createProgress(call.io, systemClock, true) });
    const { pages, run } = await bothSides(
      { scannerName, parameters, ...inLine(call) },
      { ...call, ...call.bySide },
      service,
    );
    for (const page of pages) await writer.take(page);
    await writer.write(run);
    return exitCodes.ok;
  }
  const writer = createPageWriter(parts);
  const run = startScanRun({ scannerName, parameters, ...inLine(call) }, service, writer.take);
  return finish(run, call, () => writer.write(run));
}

async function scanDocuments(
  files: OutFiles,
  ask: DocumentAsk,
  { parameters, call, service }: Scanning,
): Promise<number> {
  const { values, io } = call;
  const scannerName = await scannerOf(call, service);
  const parts = {
    ...{ files, io, clock: systemClock, ask },
    isSeparate: parameters.separate !== undefined,
    dropsBlank: parameters.blankPages === 'drop',
    json: values['json'] === true,
  };
  if (call.bySide) {
    const writer = createDocumentWriter({ ...parts, progress: createProgress(io, systemClock, true) });
    const { pages, run } = await bothSides(
      { scannerName, parameters, ...inLine(call) },
      { ...call, ...call.bySide },
      service,
      ask,
    );
    for (const page of pages) writer.see(page);
    await writer.write(run);
    return exitCodes.ok;
  }
  const writer = createDocumentWriter(parts);
  const run = startScanRun({ scannerName, parameters, ...inLine(call) }, service, async page => void writer.see(page));
  return finish(run, call, () => writer.write(run));
}

/** Scans the fronts and, once the stack is turned, the backs. */
function bothSides(
  request: ScanRequest,
  { io, stopped, order, enter }: Call & Pick<ManualDuplexParts, 'order' | 'enter'>,
  service: ReachedService,
  ask?: DocumentAsk,
): Promise<BothSides> {
  const onNote = (note: ScanNote): void => io.err(printable(noteInFlags(note)));
  const parts = { order, enter, io, stopped, onNote, clock: systemClock, ...(ask ? { ask } : {}) };
  return scanBothSides(request, service, parts);
}

/** @throws {ConfigError} */
function waitSecondsOf({ wait = '0' }: FlagValues): number {
  const seconds = typeof wait === 'string' && /^\d{1,4}$/.test(wait) ? Number(wait) : Infinity;
  if (seconds <= 3600) return seconds;
  throw new ConfigError('--wait takes a whole number of seconds from 0 to 3600.', { code: 'usage' });
}

const inLine = ({ values, io }: Call): Pick<ScanRequest, 'waitSeconds' | 'onPlace'> => ({
  waitSeconds: waitSecondsOf(values),
  onPlace: place => io.err(`The scanner is in use. Place in line: ${place}.`),
});

function scannerOf({ values, stopped }: Call, service: ReachedService): Promise<string> {
  return Promise.race([chooseScanner(values['scanner'] as string | undefined, service, systemClock), stopped]);
}

/** Ends the scan at the signal to stop. @param write writes its files, and prints how it ended */
async function finish(run: ScanRun, { io, stopped }: Call, write: () => Promise<void>): Promise<number> {
  stopped.catch((reason: ScanError) => {
    io.err('Stopping after the current sheet. Press Ctrl-C again to stop at once.');
    const told = run.end(reason);
    // A service that does not know would feed on.
    io.hold?.(told);
  });
  try {
    await write();
  } finally {
    for (const note of run.notes) io.err(printable(noteInFlags(note)));
  }
  return exitCodes.ok;
}

/** Writes warnings and errors; with --verbose, everything. */
function logTo(io: Io, part: string, { verbose }: FlagValues): Log {
  const say = (level: string) => (message: string) => io.err(`${part}: ${level}: ${printable(message)}`);
  const quiet = (level: string) => (verbose ? say(level) : () => undefined);
  return { debug: quiet('debug'), info: quiet('info'), warn: say('warning'), error: say('error') };
}
