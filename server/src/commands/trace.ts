/** `platen trace`: records a session with a scanner, without what is on the paper. */
import { rm, writeFile } from 'node:fs/promises';
import { arch } from 'node:os';
import { resolve } from 'node:path';
import {
  codeOf,
  createRegistry,
  planScan,
  ScanError,
  systemClock,
  traceSession,
  type PlanInput,
  type ScanPlan,
  type StepLine,
} from '@platen/core';
import { prepareDataFolder } from '../machine/dataFolder/dataFolder.js';
import { platform } from '../machine/platform.js';
import { readConfig, readHostConfig } from '../machine/config/read.js';
import { resolveSettings } from '../machine/config/settings.js';
import { hostJson } from '../machine/config/shipped.js';
import { optionsFromSimple } from '../service/parameters/scanParameters.js';
import { printable, printableLines } from '../machine/printable.js';
import { removedOptions } from './support/redacted.js';
import { scrub, wordsHere } from './support/scrub.js';
import { secretsIn } from './support/secrets.js';
import { findScanner, loadEntry } from './trace/findScanner.js';
import { startRecorder } from './trace/recorder.js';
import { packageVersion } from '../machine/version.js';
import { exitCodes } from '../machine/exitCodes.js';
import { refuse, usage } from './parts/newFile.js';
import { asUsage, parametersOf, wishFlags, withBareDuplex, type FlagValues } from './scan/flags.js';
import { command } from './command.js';

/** Flags of `platen scan` that change what the scanner is asked for, and have no text of anybody's. */
const scanFlags = ['dpi', 'color', 'duplex', 'size', 'source', 'sheets'] as const;

const help = `platen trace --out FILE [--scanner NAME] [--driver ID] [--no-scan] [flags] [--force] [--config FILE] [--host]

Records a session with a scanner for whoever fixes its driver: lists, opens, asks what it can do and how it is, scans with
the default parameters, and closes. The file has each message to the scanner and of it, without pixels, names, addresses
and serial numbers. Look through it before you send it. Platen's tests replay it.

  --out FILE        such as scanner.jsonl
  --force           overwrite an existing file
  --scanner NAME    as "platen scan --list" prints it; required if there are several
  --driver ID       escl, sane, twain or ica-macos: where several drivers find the scanner
  --no-scan         ask only; no paper moves
${scanFlags.map(name => `  ${`--${name} ${wishFlags[name]?.shows ?? ''}`.padEnd(17)} ${wishFlags[name]?.says}`).join('\n')}
  --config FILE     the service's configuration (PLATEN_CONFIG)
  --host            the desktop application's configuration, for its scanners; run it in the session of its user

It loads the driver itself, also an isolated one. It does not go through a running service, which may hold the scanner:
then the trace ends with "busy". Ctrl-C stops feeding. The exit code is 0 if a trace was written, however the scan ended.`;

const STEP_MS = 60_000;
/** Longer than any driver waits for a page by default. */
const PAGE_MS = 300_000;

/** @param signalled resolves at a signal to stop */
export const trace = command(
  {
    help,
    exits: ['configuration', 'scanFailed'],
    options: {
      ...Object.fromEntries(scanFlags.map(name => [name, { type: 'string' as const }])),
      out: { type: 'string' },
      scanner: { type: 'string' },
      driver: { type: 'string' },
      config: { type: 'string' },
      force: { type: 'boolean', default: false },
      scan: { type: 'boolean', default: true },
      host: { type: 'boolean', default: false },
    },
    allowNegative: true,
    spell: withBareDuplex,
  },
  async ({ values, io }, signalled: Promise<unknown>): Promise<number | 'usage'> => {
    const { out, force, scanner, driver } = values;
    if (!out) throw usage('--out is missing. Give it a file name, such as scanner.jsonl.');
    const wishes = Object.fromEntries(
      scanFlags.flatMap(name => (name in values ? [[name, values[name as never]]] : [])),
    );
    const parameters = parametersOf(wishes as FlagValues);
    const settings = resolveSettings({
      flags: { config: values.config },
      env: io.env,
      cwd: io.cwd,
      ...(values.host && { configFile: hostJson }),
    });
    const config = await (values.host ? readHostConfig : readConfig)(settings.configFile, settings.dataDir);
    const { dataDir, pluginsDir } = settings;
    await prepareDataFolder(dataDir, io.err);
    const place = { config, pluginsDir, dataDir, warn: io.err };

    // Found out first, because a scan takes its time.
    const file = resolve(io.cwd, out);
    await writeFile(file, '', { flag: force ? 'a' : 'wx', mode: 0o600 }).catch(refuse(out));
    let isWritten = false;
    const loaded: { close(): Promise<void> }[] = [];
    try {
      const found = await findScanner(config.plugins, place, { scanner, driver });
      const recorder = startRecorder(systemClock, found.device.id);
      const stop = new AbortController();
      void signalled.then(() => {
        io.err('Stopping after the current sheet.');
        stop.abort(new ScanError('cancelled', 'The scan was stopped.'));
      });
      const said = (line: StepLine): void => {
        recorder.write(line);
        if (line.did) io.err(printable(sentenceOf(line)));
      };
      const { registry, plugin } = await loadEntry(found.entry, place);
      loaded.push(registry);
      const its = registry.drivers.find(({ id }) => id === found.driver);
      if (!its) throw new ScanError('driver-failed', `The driver "${found.driver}" could not be loaded a second time.`);
      const maxPixels = 'memory' in config ? config.memory.maxPixels : MAX_PIXELS;
      await traceSession({
        driver: its,
        deviceId: found.device.id,
        order: (device, capabilities, paper) =>
          values.scan ? orderFor({ device, capabilities, paper, maxPixels }, parameters) : undefined,
        write: said,
        stop: stop.signal,
        stepMs: STEP_MS,
        pageMs: PAGE_MS,
      });
      const head = {
        trace: 1,
        platen: packageVersion(),
        node: process.versions.node,
        system: `${platform} ${arch()}`,
        plugin,
        driver: found.driver,
        options: removedOptions(found.entry.options),
        recorded: new Date().toISOString().slice(0, 10),
      };
      const text = [JSON.stringify(head), ...recorder.end(), ''].join('\n');
      await writeFile(file, printableLines(scrub(text, wordsHere(io.env, await secretsIn(dataDir))))).catch(
        refuse(out),
      );
      isWritten = true;
    } catch (error) {
      throw codeOf(error) === 'invalid-value' ? asUsage(error) : error;
    } finally {
      for (const each of loaded) await each.close();
      if (!isWritten && !force) await rm(file, { force: true });
    }
    io.out(out);
    io.err('Look through this file before you send it.');
    return exitCodes.ok;
  },
);

/** The desktop application has no limit of its own: the service's default. */
const MAX_PIXELS = 150_000_000;

/** What core would ask the driver for, for a client that wants PNGs. */
function orderFor(
  scan: Omit<PlanInput, 'options' | 'software' | 'note'>,
  parameters: ReturnType<typeof parametersOf>,
): ScanPlan['order'] {
  const software = createRegistry();
  const encode = async (): Promise<Uint8Array> => new Uint8Array();
  software.add('platen trace', { formats: [{ name: 'Png', aliases: ['png'], mimeType: 'image/png', encode }] });
  const options = optionsFromSimple(parameters, software);
  return planScan({ ...scan, options, software, note: () => undefined }).order;
}

function sentenceOf({ did, code, pages }: StepLine): string {
  const count = pages === undefined ? '' : `, pages ${String(pages)}`;
  return `${did}: ${code === undefined ? 'ok' : String(code)}${count}`;
}
