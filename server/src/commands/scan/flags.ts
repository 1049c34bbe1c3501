/** The flags of `platen scan` that say how to scan: the interface's parameters under short names. */
import { Ajv } from 'ajv';
import { codeOf, type formatNames, type InvalidValue, type ScanNote } from '@platen/core';
import { Type } from '../../machine/schemaType.js';
import { ConfigError } from '../../machine/configError.js';
import { controlParameters, type ControlName } from '../../service/parameters/controls.js';
import { integerOf } from '../../service/parameters/controlText.js';
import { DirectParameters, type StartParameters } from '../../service/parameters/scanParameters.js';
import { Separate } from '../../service/parameters/separate.js';
import { ajvOptions, invalidValueOf, spelt } from '../../service/parameters/validation.js';
import { askedOf, readerAsked } from './pluginFlags.js';
import { keepSeparatorsOption, separateOf, withSeparators } from './separateFlag.js';

/** The names of `--format` and endings of files that the interface knows, and the format that each means. */
export const imageFormats: Readonly<Record<string, (typeof formatNames)[number] | undefined>> = {
  png: 'Png',
  jpeg: 'Jpeg',
  jpg: 'Jpeg',
  tiff: 'Tiff',
  tif: 'Tiff',
  bmp: 'Bmp',
};

const FlagParameters = Type.Object({ ...DirectParameters.properties, separate: Type.Optional(Separate) });
type FlagParameters = Type.Static<typeof FlagParameters>;

interface WishFlag {
  readonly field: keyof FlagParameters;
  /** The value's name in the help; a flag without one is a switch. */
  readonly shows?: string;
  /** For the help. */
  readonly says: string;
  readonly read?: (text: string) => unknown;
  /** It may be given several times; what is read is merged. */
  readonly isRepeated?: true;
}

const list = (text: string): unknown =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

const asIs = (text: string): unknown => text;

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
    read: integerOf,
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
    says: 'of the pages: png, jpeg, tiff, bmp or another loaded one (from the extension of --out)',
  },
  quality: { field: 'jpegQuality', shows: 'N', says: 'JPEG quality, 1 to 100 (90)', read: integerOf },
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
  ...Object.fromEntries(
    Object.entries(controlParameters).map(([field, { flag }]) => [flag.name, { ...flag, field: field as ControlName }]),
  ),
  recognise: {
    field: 'recognise',
    shows: 'KIND[:WISHES]',
    says: 'a recogniser of a plugin, as stamp:least=3, printed after the file; repeat it for more',
    read: askedOf('--recognise'),
    isRepeated: true,
  },
  process: {
    field: 'process',
    shows: 'NAME[:OPTIONS]',
    says: 'a processor of a plugin, as despeckle:radius=1; repeat it for more',
    read: askedOf('--process'),
    isRepeated: true,
  },
  reader: {
    field: 'readers',
    shows: 'KIND=NAME',
    says: 'of several recognisers, the one that reads, as barcode=@acme/barcode (the first)',
    read: readerAsked,
    isRepeated: true,
  },
  profile: { field: 'profile', shows: 'NAME', says: 'parameters of the configuration; other flags go before' },
  timeout: {
    field: 'requestTimeoutSeconds',
    shows: 'SECONDS',
    says: 'the deadline of the whole scan (none)',
    read: integerOf,
  },
};

/** For `parseArgs`. */
export const wishOptions = {
  ...keepSeparatorsOption,
  ...Object.fromEntries(
    Object.entries(wishFlags).map(([name, { shows, isRepeated = false }]) => [
      name,
      { type: shows === undefined ? ('boolean' as const) : ('string' as const), multiple: isRepeated },
    ]),
  ),
};

/** One line of help per flag. */
export const wishHelp = Object.entries(wishFlags)
  .map(([name, { shows, says }]) => `  ${`--${name} ${shows ?? ''}`.padEnd(25)} ${says}`)
  .join('\n');

/** Flags that may stand without their value. */
const bareFlags: Readonly<Record<string, string>> = {
  '--duplex': '--duplex=long',
  '--manual-duplex': '--manual-duplex=reversed',
};

/** A bare `--duplex` means the long edge, a bare `--manual-duplex` the last sheet's back first. */
export function withBareDuplex(args: readonly string[]): string[] {
  return args.map((arg, at) => ((args[at + 1] ?? '-').startsWith('-') ? (bareFlags[arg] ?? arg) : arg));
}

/** `--brightness -20` as `--brightness=-20`: parseArgs takes another dash for another flag. */
export function withNegatives(args: readonly string[]): string[] {
  return args.reduce<string[]>((joined, arg) => {
    const before = joined.at(-1) ?? '';
    if (!/^-\d+$/.test(arg) || !wishFlags[before.slice(2)]?.shows) return [...joined, arg];
    return [...joined.slice(0, -1), `${before}=${arg}`];
  }, []);
}

export type FlagValues = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

const validate = new Ajv(ajvOptions).compile(FlagParameters);

/** The parameters of a scan. @throws {ConfigError} naming the flag and what it takes */
export function parametersOf(values: FlagValues): StartParameters {
  try {
    return readParameters(values);
  } catch (error) {
    throw asUsage(error);
  }
}

function readParameters(values: FlagValues): StartParameters {
  const given = Object.entries(wishFlags).flatMap(([name, { field, read = asIs }]) => {
    const value = values[name];
    if (Array.isArray(value))
      return [[field, Object.fromEntries(value.flatMap(text => Object.entries(read(text) as object)))]];
    return value === undefined ? [] : [[field, typeof value === 'string' ? read(value) : value]];
  });
  const fields = Object.fromEntries(given) as Record<string, unknown>;
  if (values['keep-separators'] === true)
    fields['separate'] = withSeparators(fields['separate'] as Parameters<typeof withSeparators>[0]);
  const parameters = spelt<FlagParameters>(FlagParameters, fields);
  if (!validate(parameters)) throw invalidValueOf(validate.errors ?? []);
  const { outputFormat, ...rest } = parameters;
  if (outputFormat === undefined) return rest;
  // The name of another format is for the plugins that are loaded where the scanner is.
  return { ...rest, imageFormat: imageFormats[outputFormat.toLowerCase()] ?? outputFormat };
}

/** Turns a rejected field of the interface into a rejected flag; returns any other error unchanged. */
export function asUsage(error: unknown): unknown {
  const { field, accepts, allowed } = (error ?? {}) as Partial<InvalidValue>;
  if (codeOf(error) !== 'invalid-value' || field === undefined || accepts === undefined) return error;
  const [name = field, ...below] = field.split('.');
  const flag = flagOf(name.replace(/\[.*$/, ''));
  const taken = flag === '--duplex' && allowed ? edgesOf(allowed) : accepts;
  return new ConfigError(`${flag === undefined ? field : [flag, ...below].join(' ')} takes ${taken}.`, {
    code: 'usage',
    cause: error,
  });
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
