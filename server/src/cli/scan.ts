/** `platen scan`: scans into files, through the service that has the data folder or with drivers in this process. */
import { parseArgs } from 'node:util';
import { ScanError, systemClock, type Log } from '@platen/core';
import { ConfigError } from '../config/error.js';
import { resolveSettings } from '../config/settings.js';
import { outputFormats, type Parameters } from '../http/dto/parameters.js';
import { printable } from '../printable.js';
import { exitCodes, exitCodesHelp } from './exitCodes.js';
import type { Io } from './io.js';
import {
  asUsage,
  noteInFlags,
  parametersOf,
  wishFlags,
  wishHelp,
  wishOptions,
  withDuplexEdge,
  type FlagValues,
} from './scan/flags.js';
import type { ScanBackend } from './scan/backend.js';
import { openBackend } from './scan/openBackend.js';
import { outFiles, type OutFiles } from './scan/outFiles.js';
import { createPageWriter } from './scan/pages.js';
import { allScanners, chooseScanner, scannerLine } from './scan/scanners.js';

const help = `platen scan [--scanner NAME] --out FILE [flags]
platen scan --list [--json]

Scans into files: through the service that uses the data folder, or without a running service. Prints each file's name
to standard output, and a line of progress per page to standard error.

  --scanner NAME            required if there are several scanners
  --out FILE                such as page-%d.png or page-%03d.png; without %d, page.png is followed by page-2.png
  --force                   overwrite existing files
  --json                    print one JSON object per page, or per scanner, to standard output
  --config FILE             the configuration (PLATEN_CONFIG); a running service has its own
  --verbose                 print all messages of plugins and drivers to standard error, and whether a service scans
${wishHelp}

Ctrl-C stops feeding and finishes the current sheet; a second Ctrl-C stops at once. Scanned pages are kept, however the
scan ends. Pages that cannot be written wait in the service, if it scanned them.

${exitCodesHelp}`;

const options = {
  ...wishOptions,
  ...Object.fromEntries(['scanner', 'out', 'config'].map(name => [name, { type: 'string' as const }])),
  ...Object.fromEntries(['list', 'force', 'json', 'verbose', 'help'].map(name => [name, { type: 'boolean' as const }])),
};

interface Call {
  readonly values: FlagValues;
  readonly io: Io;
  /** Rejects at the signal to stop. */
  readonly stopped: Promise<never>;
}

/** @param signalled resolves at a signal to stop */
export async function scan(args: string[], io: Io, signalled: Promise<unknown>): Promise<number> {
  const values = parseArgs({ args: withDuplexEdge(args), options }).values as FlagValues;
  if (values['help']) {
    io.out(help);
    return exitCodes.ok;
  }
  const stopped = signalled.then(() => {
    throw new ScanError('cancelled', 'The scan was stopped.');
  });
  stopped.catch(() => undefined);
  const call = { values, io, stopped };
  if (values['list']) return withScanners(call, backend => list(call, backend));

  const files = filesOf(values, io.cwd);
  const parameters = parametersOf({ ...values, format: values['format'] ?? files.format });
  await files.check();
  return withScanners(call, backend => scanInto(files, parameters, call, backend)).catch((error: unknown) => {
    throw asUsage(error);
  });
}

function filesOf(values: FlagValues, cwd: string): OutFiles {
  const out = values['out'];
  if (typeof out !== 'string')
    throw new ConfigError('--out is missing. Give it a file name, such as page-%d.png.', { code: 'usage' });
  const files = outFiles(out, { cwd, force: values['force'] === true });
  if (files.format === undefined && values['format'] === undefined) {
    throw new ConfigError(
      `--out takes a name that ends in ${Object.keys(outputFormats)
        .map(each => `.${each}`)
        .join(', ')}; or name the format with --format.`,
      { code: 'usage' },
    );
  }
  return files;
}

/** Runs `use` with where the scanners are, and leaves them. */
async function withScanners(
  { values, io, stopped }: Call,
  use: (backend: ScanBackend) => Promise<number>,
): Promise<number> {
  const config = values['config'] as string | undefined;
  const settings = resolveSettings({ flags: { config }, env: io.env, cwd: io.cwd });
  const logFor = (part: string): Log => logTo(io, part, values);
  const isConfigGiven = config !== undefined;
  const backend = await openBackend({ settings, isConfigGiven, clock: systemClock, stopped, logFor });
  try {
    return await use(backend);
  } finally {
    await backend.close();
  }
}

async function list({ values, io, stopped }: Call, backend: ScanBackend): Promise<number> {
  for (const name of ['out', 'scanner', 'force', ...Object.keys(wishFlags)]) {
    if (values[name] !== undefined) throw new ConfigError(`--${name} cannot be used with --list.`, { code: 'usage' });
  }
  const found = await Promise.race([allScanners(backend, systemClock), stopped]);
  for (const each of found) io.out(values['json'] ? JSON.stringify(each) : scannerLine(each));
  if (found.length === 0) io.err('No scanner found. Connect one, or install its driver.');
  return exitCodes.ok;
}

async function scanInto(
  files: OutFiles,
  parameters: Parameters,
  { values, io, stopped }: Call,
  backend: ScanBackend,
): Promise<number> {
  const named = values['scanner'] as string | undefined;
  const scannerName = await Promise.race([chooseScanner(named, backend, systemClock), stopped]);
  const writer = createPageWriter({ files, io, clock: systemClock, json: values['json'] === true });
  const run = backend.scan({ scannerName, parameters }, writer.keep);
  stopped.catch((reason: ScanError) => {
    io.err('Stopping after the current sheet. Press Ctrl-C again to stop at once.');
    const told = run.end(reason);
    // A service that does not know would feed on.
    io.hold?.(told);
  });
  try {
    writer.end(await run.over);
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
