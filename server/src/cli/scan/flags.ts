/** The flags of `platen scan` that say how to scan: the interface's parameters under names that are quick to type. */
import { Ajv } from 'ajv';
import { codeOf, type InvalidValue, type ScanNote } from '@platen/core';
import { ConfigError } from '../../config/error.js';
import { DirectParameters } from '../../http/dto/parameters.js';
import { ajvOptions, invalidValueOf, spelt } from '../../http/dto/validation.js';

interface WishFlag {
  readonly field: keyof DirectParameters;
  /** What is typed after it; a flag without one is on or off. */
  readonly shows?: string;
  /** For the help. */
  readonly says: string;
  readonly read?: (text: string) => unknown;
}

/** Text that is no number stays what it is: the schema says what is taken. */
const integer = (text: string): unknown => (/^-?\d+$/.test(text) ? Number(text) : text);
const list = (text: string): unknown =>
  text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '');

/** Short words of --duplex, and the interface's. */
const duplexWords: Readonly<Record<string, string>> = {
  simplex: 'Simplex',
  long: 'DuplexLongEdge',
  short: 'DuplexShortEdge',
};

export const wishFlags: Readonly<Record<string, WishFlag>> = {
  dpi: {
    field: 'resolution',
    shows: 'N',
    says: "one of the scanner's resolutions (200, or the nearest that it has)",
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
  format: { field: 'outputFormat', shows: 'FORMAT', says: 'png, jpeg, tiff or bmp (what the ending of --out says)' },
  quality: { field: 'jpegQuality', shows: 'N', says: 'of JPEG, 1 to 100 (90)', read: integer },
  'auto-rotate': { field: 'autoRotate', says: 'turn pages upright' },
  'auto-deskew': { field: 'autoDeskew', says: 'straighten pages' },
  'auto-crop': { field: 'autoCrop', says: 'cut pages to the sheet' },
  barcodes: { field: 'barcodeReadingEnabled', says: "read barcodes, and print them after the page's file" },
  'barcode-filter': { field: 'barcodeFilterLevel', shows: 'LEVEL', says: 'Low, Normal, High or VeryHigh (Normal)' },
  'barcode-formats': {
    field: 'barcodeFormats',
    shows: 'A,B',
    says: 'such as QrCode,Code128 (every symbology)',
    read: list,
  },
  'barcode-first': { field: 'barcodeStopAfterFirst', says: 'stop at the first barcode of a page' },
  ocr: { field: 'ocrEnabled', says: "read text, and print it after the page's file" },
  'transfer-mode': { field: 'transferMode', shows: 'MODE', says: 'Auto, Native or Buffered; means something to TWAIN' },
  timeout: {
    field: 'requestTimeoutSeconds',
    shows: 'SECONDS',
    says: 'a deadline for the whole scan (none)',
    read: integer,
  },
};

/** For `parseArgs`. */
export const wishOptions = Object.fromEntries(
  Object.entries(wishFlags).map(([name, { shows }]) => [
    name,
    { type: shows === undefined ? ('boolean' as const) : ('string' as const) },
  ]),
);

/** A line of help for each. */
export const wishHelp = Object.entries(wishFlags)
  .map(([name, { shows, says }]) => `  ${`--${name} ${shows ?? ''}`.padEnd(26)}${says}`)
  .join('\n');

/** A bare `--duplex` means the long edge. */
export function withDuplexEdge(args: readonly string[]): string[] {
  return args.map((arg, at) => (arg === '--duplex' && (args[at + 1] ?? '-').startsWith('-') ? '--duplex=long' : arg));
}

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

const validate = new Ajv(ajvOptions).compile(DirectParameters);

/** The same parameters that `POST /api/twain` takes. @throws {ConfigError} naming the flag and what it takes */
export function parametersOf(values: FlagValues): DirectParameters {
  const given = Object.entries(wishFlags).flatMap(([name, { field, read = (text: string): unknown => text }]) => {
    const value = values[name];
    return value === undefined ? [] : [[field, typeof value === 'string' ? read(value) : value]];
  });
  const parameters = spelt<DirectParameters>(DirectParameters, Object.fromEntries(given) as object);
  if (!validate(parameters)) throw asUsage(invalidValueOf(validate.errors ?? []));
  return parameters;
}

/** A field of the interface that is refused, as a flag that is wrong; anything else as it is. */
export function asUsage(error: unknown): unknown {
  const { field, accepts, allowed } = (error ?? {}) as Partial<InvalidValue>;
  if (codeOf(error) !== 'invalid-value' || field === undefined || accepts === undefined) return error;
  const flag = flagOf(field.replace(/[.[].*$/, ''));
  const taken = flag === '--duplex' && allowed ? edgesOf(allowed) : accepts;
  return new ConfigError(`${flag ?? field} takes ${taken}.`, { code: 'usage', cause: error });
}

/** A note for a person who types flags. */
export function noteInFlags({ text, field, says }: ScanNote): string {
  const flag = field === undefined || says === undefined ? undefined : flagOf(field);
  return flag === undefined ? text : `${flag} ${says}`;
}

/** The interface's duplex modes as --duplex has them. */
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
