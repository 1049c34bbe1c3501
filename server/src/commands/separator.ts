/** `platen separator`: writes a separator sheet, to print and to insert between documents. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  InvalidValue,
  patchCodes,
  separatorSizes,
  systemClock,
  usualSeparatorSheet,
  writeSeparatorSheet,
  type DocumentFormat,
  type SeparatorSheet,
} from '@platen/core';
import { ConfigError } from '../machine/configError.js';
import { resolveSettings } from '../machine/config/settings.js';
import { formatOf } from '../service/parameters/documentQuery.js';
import { separatorSheetOf } from '../service/parameters/separatorQuery.js';
import { isRootElsewhere } from './parts/asOwner.js';
import { exitCodes } from '../machine/exitCodes.js';
import { loadConfigured, type LoadedPlugins } from './parts/loadConfigured.js';
import { outFiles, type OutFiles } from './scan/outFiles.js';
import { command } from './command.js';

const help = `platen separator --out FILE [--patch CODE] [--text TEXT] [--size SIZE] [--force] [--config FILE]

Writes a sheet to print and to insert between the documents of a stack, and prints the file's name. "platen scan
--separate patch" begins a new document at its patch code, "--separate barcode" at its barcode. Needs neither a scanner
nor a service.

  --out FILE                such as sheet.pdf
  --patch CODE              the patch code: ${patchCodes.join(', ')} (${usualSeparatorSheet.patch})
  --text TEXT               the barcode's text (${usualSeparatorSheet.text})
  --size SIZE               ${separatorSizes.join(' or ')} (${usualSeparatorSheet.size})
  --force                   overwrite an existing file
  --config FILE             the configuration (PLATEN_CONFIG)`;

export const separator = command(
  {
    help,
    exits: ['configuration'],
    options: {
      out: { type: 'string' },
      patch: { type: 'string' },
      text: { type: 'string' },
      size: { type: 'string' },
      config: { type: 'string' },
      force: { type: 'boolean' },
    },
  },
  async ({ values, io }): Promise<number | 'usage'> => {
    const { out, config, force = false } = values;
    if (out === undefined) throw usage('--out is missing. Give it a file name, such as sheet.pdf.');
    const file = outFiles(out, { cwd: io.cwd, force });
    if (file.isNumbered) throw usage('--out takes the name of one file, without %d.');
    await file.check('one');
    try {
      const sheet = separatorSheetOf(values);
      const settings = resolveSettings({ flags: { config }, env: io.env, cwd: io.cwd });
      io.out(
        await inOwnFolder(settings.dataDir, async dataDir =>
          write(sheet, file, await loadConfigured({ ...settings, dataDir }, io)),
        ),
      );
    } catch (error) {
      if (error instanceof InvalidValue) throw usage(`--${error.field} takes ${error.accepts}.`);
      throw error;
    }
    return exitCodes.ok;
  },
);

/** The sheet needs nothing of a service. Root would lose its rights with the folder of one, and with them the file. */
async function inOwnFolder<T>(dataDir: string, use: (dataDir: string) => Promise<T>): Promise<T> {
  if (!isRootElsewhere(dataDir)) return use(dataDir);
  const own = await mkdtemp(join(tmpdir(), 'platen-separator-'));
  try {
    return await use(own);
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** @returns the file's path, in the form in which it was typed */
async function write(sheet: SeparatorSheet, file: OutFiles, { registry }: LoadedPlugins): Promise<string> {
  try {
    const format = documentFormatOf(file.extension, registry.documents);
    const parts = { software: registry, now: systemClock.now() };
    const chunks = writeSeparatorSheet(sheet, format, parts, { signal: new AbortController().signal });
    return (await file.stream(1, chunks)).file;
  } finally {
    await registry.close();
  }
}

function documentFormatOf(extension: string, documents: readonly DocumentFormat[]): DocumentFormat {
  try {
    return formatOf(extension, documents);
  } catch (error) {
    const { allowed = [] } = error as InvalidValue;
    const endings = allowed.map(each => `.${String(each)}`).join(', ');
    if (endings === '')
      throw usage(
        '--out takes the name of a document, and no loaded plugin writes documents: add one to the configuration.',
      );
    const taken = `a name that ends in ${endings}.`;
    throw usage(
      extension === ''
        ? `--out takes ${taken}`
        : `--out: no loaded plugin writes a .${extension} document. It takes ${taken}`,
    );
  }
}

function usage(sentence: string): ConfigError {
  return new ConfigError(sentence, { code: 'usage' });
}
