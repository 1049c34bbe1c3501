/** `platen scan`: scans into files, over the same scanner as the service and without HTTP. */
import { parseArgs } from 'node:util';
import { describeScanner, messageOf, ScanError, type Log } from '@platen/core';
import { compose, type Composed } from '../compose.js';
import { prepareDataFolder } from '../config/dataFolder.js';
import { ConfigError } from '../config/error.js';
import { DataFolderInUse, lockDataFolder } from '../config/lock.js';
import { readConfig } from '../config/read.js';
import { resolveSettings, type Settings } from '../config/settings.js';
import { optionsFromDirect, outputFormats, type DirectParameters } from '../http/dto/parameters.js';
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
import { outFiles, type OutFiles } from './scan/outFiles.js';
import { createPageWriter } from './scan/pages.js';
import { allScanners, chooseScanner, scannerLine } from './scan/scanners.js';

const help = `platen scan [--scanner NAME] --out FILE [flags]
platen scan --list [--json]

Scans into files, without a running service. Standard output has the name of each file; standard error a line of progress for each page.

  --scanner NAME            needed where there are several scanners
  --out FILE                such as page-%d.png or page-%03d.png; without %d, page.png is followed by page-2.png
  --force                   a page may take the place of a file that is there
  --json                    standard output has a JSON object for each page, or for each scanner
  --config FILE             the service's configuration (PLATEN_CONFIG)
  --verbose                 what plugins and drivers have to say, on standard error
${wishHelp}

Ctrl-C feeds nothing more and finishes the sheet in hand; again, it stops at once. Pages that went through the scanner are kept, however a scan ends.

${exitCodesHelp}`;

const options = {
  ...wishOptions,
  ...Object.fromEntries(['scanner', 'out', 'config'].map(name => [name, { type: 'string' as const }])),
  ...Object.fromEntries(['list', 'force', 'json', 'verbose', 'help'].map(name => [name, { type: 'boolean' as const }])),
};

interface Call {
  readonly values: FlagValues;
  readonly io: Io;
  /** Rejects when the person who scans has had enough. */
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
  if (values['list']) return withScanner(call, composed => list(call, composed));

  const files = filesOf(values, io.cwd);
  const parameters = parametersOf({ ...values, format: values['format'] ?? files.format });
  await files.check();
  return withScanner(call, composed => scanInto(files, parameters, call, composed)).catch((error: unknown) => {
    throw asUsage(error);
  });
}

function filesOf(values: FlagValues, cwd: string): OutFiles {
  const out = values['out'];
  if (typeof out !== 'string')
    throw new ConfigError('--out is missing: it takes the name of a file, such as page-%d.png.', { code: 'usage' });
  const files = outFiles(out, { cwd, force: values['force'] === true });
  if (files.format === undefined && values['format'] === undefined) {
    throw new ConfigError(
      `--out takes a name that ends in ${Object.keys(outputFormats)
        .map(each => `.${each}`)
        .join(', ')}, or --format says what it is.`,
      { code: 'usage' },
    );
  }
  return files;
}

/** The composed scanner, for as long as `use` takes. */
async function withScanner({ values, io }: Call, use: (composed: Composed) => Promise<number>): Promise<number> {
  const settings = resolveSettings({
    flags: { config: values['config'] as string | undefined },
    env: io.env,
    cwd: io.cwd,
  });
  const config = await readConfig(settings.configFile);
  await prepareDataFolder(settings.dataDir);
  const unlock = await lockDataFolder(settings.dataDir).catch((error: unknown) => {
    throw error instanceof DataFolderInUse ? inUse(error, settings, config.listen.port) : error;
  });
  try {
    const composed = await compose({
      config,
      dataDir: settings.dataDir,
      log: logTo(io, 'platen', values),
      pluginLog: name => logTo(io, name, values),
    });
    try {
      return await use(composed);
    } finally {
      await composed.stopScanning();
      await composed.close().catch((error: unknown) => io.err(`A plugin did not close: ${messageOf(error)}`));
    }
  } finally {
    await unlock();
  }
}

async function list({ values, io, stopped }: Call, { services }: Composed): Promise<number> {
  for (const name of ['out', 'scanner', 'force', ...Object.keys(wishFlags)]) {
    if (values[name] !== undefined) throw new ConfigError(`--${name} means nothing with --list.`, { code: 'usage' });
  }
  const found = await Promise.race([allScanners(services.scans, services.clock), stopped]);
  for (const each of found) io.out(values['json'] ? JSON.stringify(describeScanner(each)) : scannerLine(each));
  if (found.length === 0) io.err('This computer has no scanner: connect one, or install its driver.');
  return exitCodes.ok;
}

async function scanInto(
  files: OutFiles,
  parameters: DirectParameters,
  { values, io, stopped }: Call,
  { services }: Composed,
): Promise<number> {
  const { scans, registry, clock } = services;
  const scanOptions = optionsFromDirect(parameters, registry.formats);
  const scannerName = await Promise.race([
    chooseScanner(values['scanner'] as string | undefined, scans, clock),
    stopped,
  ]);
  const writer = createPageWriter({ files, io, clock, json: values['json'] === true });
  const run = scans.scan({ scannerName, options: scanOptions }, writer.keep);
  stopped.catch((reason: ScanError) => {
    io.err('Stopping after the sheet in hand; Ctrl-C again stops at once.');
    run.end(reason);
  });
  try {
    writer.end(await run.over);
  } finally {
    for (const note of run.notes) io.err(printable(noteInFlags(note)));
  }
  return exitCodes.ok;
}

function inUse(error: DataFolderInUse, settings: Settings, configured: number): Error {
  const port = settings.port ?? configured;
  const url = `https://localhost:${port === 0 ? 'PORT' : port}/api/twain/scan`;
  return Object.assign(
    new Error(`${error.message} Where the service runs, scan through it: POST ${url}.`, { cause: error }),
    { code: error.code },
  );
}

/** Warnings and errors, and with --verbose the rest. */
function logTo(io: Io, part: string, { verbose }: FlagValues): Log {
  const say = (level: string) => (message: string) => io.err(`${part}: ${level}: ${printable(message)}`);
  const quiet = (level: string) => (verbose ? say(level) : () => undefined);
  return { debug: quiet('debug'), info: quiet('info'), warn: say('warning'), error: say('error') };
}
