/** The flags of `platen scan` that say how to scan: the interface's parameters under short names. */
import { Ajv } from 'ajv';
import { codeOf, type InvalidValue, type ScanNote } from '@platen/core';
import { Type } from '../../schemaType.js';
import { ConfigError } from '../../config/error.js';
import { DirectParameters, outputFormats, type StartParameters } from '../../http/dto/parameters.js';
import { Separate } from '../../http/dto/separate.js';
import { ajvOptions, invalidValueOf, spelt } from '../../http/dto/validation.js';
import { keepSeparatorsOption, separateOf, withSeparators } from './separateFlag.js';

const FlagParameters = Type.Object({ ...DirectParameters.properties, separate: Type.Optional(Separate) });
type FlagParameters = Type.Static<typeof FlagParameters>;

interface WishFlag {
  readonly field: keyof FlagParameters;
  /** The value's name in the help; a flag without one is a switch. */
  readonly shows?: string;
  /** For the help. */
  readonly says: string;
  readonly read?: (text: string) => unknown;
}

/** Text that is not a number is left as it is, for the schema to reject. */
const integer = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
const list = (text: string): unknown =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

/** The words of --duplex, and the interface's. */
const duplexWords: Readonly<Record<string, string>> = {
  simplex: 'Simplex',
  long: 'DuplexLongEdge',
  short: 'DuplexShortEdge',
};

export const wishFlags: Readonly<Record<string, WishFlag>> = {
  dpi: {
    field: 'resolution',
    shows: 'N',
    says: "one of the scanner's resolutions (200, or the nearest)",
    read: integer,
  },
  color: { field: 'colorMode', shows: 'MODE', says: 'Color, Grayscale or BlackAndWhite (Grayscale)' },
  duplex: {
    field: 'duplexMode',
    shows: '[EDGE]',
    says: 'both sides; EDGE is long or short (long), or simplex',
    read: text => duplexWords[text.toLowerCase()] ?? text,
  },
  size: { field: 'pageSize', shows: 'SIZE', says: 'Letter, Legal, A4, A5, A6, B5 or Auto (Letter)' },
  format: {
    field: 'outputFormat',
    shows: 'FORMAT',
    says: 'of the pages: png, jpeg, tiff or bmp (from the extension of --out)',
  },
  quality: { field: 'jpegQuality', shows: 'N', says: 'JPEG quality, 1 to 100 (90)', read: integer },
  'auto-rotate': { field: 'autoRotate', says: 'turn pages upright' },
  'auto-deskew': { field: 'autoDeskew', says: 'straighten pages' },
  'auto-crop': { field: 'autoCrop', says: 'crop pages to the sheet' },
  barcodes: { field: 'barcodeReadingEnabled', says: "read barcodes, and print them after the file's name" },
  'barcode-filter': { field: 'barcodeFilterLevel', shows: 'LEVEL', says: 'Low, Normal, High or VeryHigh (Normal)' },
  'barcode-formats': {
    field: 'barcodeFormats',
    shows: 'A,B',
    says: 'such as QrCode,Code128 (all symbologies)',
    read: list,
  },
  'barcode-first': { field: 'barcodeStopAfterFirst', says: 'stop at the first barcode on a page' },
  ocr: { field: 'ocrEnabled', says: "read text, and print it after the file's name; a document can be searched" },
  'blank-pages': {
    field: 'blankPages',
    shows: 'WAY',
    says: 'keep, flag or drop: documents are without blank pages (keep)',
  },
  separate: {
    field: 'separate',
    shows: 'WAY',
    says: 'several documents: a new one at each blank sheet (blank), barcode or patch code, or count:N',
    read: separateOf,
  },
  'transfer-mode': { field: 'transferMode', shows: 'MODE', says: 'Auto, Native or Buffered; TWAIN only' },
  timeout: {
    field: 'requestTimeoutSeconds',
    shows: 'SECONDS',
    says: 'the deadline of the whole scan (none)',
    read: integer,
  },
};

/** For `parseArgs`. */
export const wishOptions = {
  ...keepSeparatorsOption,
  ...Object.fromEntries(
    Object.entries(wishFlags).map(([name, { shows }]) => [
      name,
      { type: shows === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
};

/** One line of help per flag. */
export const wishHelp = Object.entries(wishFlags)
  .map(([name, { shows, says }]) => `  ${`--${name} ${shows ?? ''}`.padEnd(26)}${says}`)
  .join('\n');

/** A bare `--duplex` means the long edge. */
export function withDuplexEdge(args: readonly string[]): string[] {
  return args.map((arg, at) => (arg === '--duplex' && (args[at + 1] ?? '-').startsWith('-') ? '--duplex=long' : arg));
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

const validate = new Ajv(ajvOptions).compile(FlagParameters);

/** The parameters of a scan. @throws {ConfigError} naming the flag and what it takes */
export function parametersOf(values: FlagValues): StartParameters {
  const given = Object.entries(wishFlags).flatMap(([name, { field, read = (text: string): unknown => text }]) => {
    const value = values[name];
    return value === undefined ? [] : [[field, typeof value === 'string' ? read(value) : value]];
  });
  const fields = Object.fromEntries(given) as Record<string, unknown>;
  if (values['keep-separators'] === true)
    fields['separate'] = withSeparators(fields['separate'] as Parameters<typeof withSeparators>[0]);
  const parameters = spelt<FlagParameters>(FlagParameters, fields);
  if (!validate(parameters)) throw asUsage(invalidValueOf(validate.errors ?? []));
  const { outputFormat, ...rest } = parameters;
  return { ...rest, ...(outputFormat === undefined ? {} : { imageFormat: outputFormats[outputFormat] }) };
}

/** Turns a rejected field of the interface into a rejected flag; returns any other error unchanged. */
export function asUsage(error: unknown): unknown {
  const { field, accepts, allowed } = (error ?? {}) as Partial<InvalidValue>;
  if (codeOf(error) !== 'invalid-value' || field === undefined || accepts === undefined) return error;
  const flag = flagOf(field.replace(/[.[].*$/, ''));
  const taken = flag === '--duplex' && allowed ? edgesOf(allowed) : accepts;
  return new ConfigError(`${flag ?? field} takes ${taken}.`, { code: 'usage', cause: error });
}

/** A note's text with the flag in place of the field. */
export function noteInFlags({ text, field, says }: ScanNote): string {
  const flag = field === undefined || says === undefined ? undefined : flagOf(field);
  return flag === undefined ? text : `${flag} ${says}`;
}

/** The interface's duplex modes in the words of --duplex. */
function edgesOf(modes: readonly unknown[]): string {
  const words = modes.map(mode => Object.keys(duplexWords).find(word => duplexWords[word] === mode) ?? String(mode));
  return words.length === 1 ? `${words[0]} on this scanner: it scans one side only` : `one of ${words.join(', ')}`;
}

function flagOf(field: string): string | undefined {
  const found = Object.entries(wishFlags).find(
    ([, each]) => each.field === (field === 'imageFormat' ? 'outputFormat' : field),
  );
  return found && `--${found[0]}`;
}
