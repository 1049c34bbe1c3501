/** Devices that differ from the specification: all rows that match a device apply; of the same quirk, the first. */
import type { InputCaps, ScannerCapabilities } from './scannerCapabilities.js';

export interface Quirks {
  /** The Host header: as HTTP defines it; always with the port; `localhost`. */
  readonly host: 'standard' | 'with port' | 'localhost';
  /**
   * When 404 may mean "not yet": `always`, or only while the device's status contradicts it. The document is requested
   * again for `earlyEndMs`.
   */
  readonly earlyEnd: 'always' | 'contradicted';
  readonly earlyEndMs: number;
  /** HTTP statuses of NextDocument that mean the same as 503. */
  readonly notReady: readonly number[];
  /** While idle, `ScannerAdfProcessing` means an empty feeder. */
  readonly processingIsEmpty: boolean;
  /** A feeder that reports empty is not tried: it would report a jam. With others the scan is tried: sensors are slow. */
  readonly trustsEmpty: boolean;
  /** A finished job is not deleted. */
  readonly keepsJobs: boolean;
  /** The highest resolution that works, if the device offers more. */
  readonly maxDpi: number;
}

export const standard: Quirks = {
  host: 'standard',
  earlyEnd: 'contradicted',
  earlyEndMs: 1000,
  notReady: [],
  processingIsEmpty: false,
  trustsEmpty: false,
  keepsJobs: false,
  maxDpi: Infinity,
};

/** How a device is recognised: every field that is present must match. */
interface Match {
  /** MakeAndModel, as capabilities or discovery say. */
  readonly model?: RegExp;
  /** Manufacturer. */
  readonly manufacturer?: RegExp;
  /** The Server header of its answers. */
  readonly server?: RegExp;
}

export interface QuirkRow {
  /** As in the README. */
  readonly device: string;
  readonly match: Match;
  readonly quirks: Partial<Quirks>;
}

/** Sources: the code and issues of sane-airscan and NAPS2. */
export const quirkTable: readonly QuirkRow[] = [
  { device: 'Epson', match: { model: /^EPSON\b/i }, quirks: { host: 'with port' } },
  { device: 'Epson, by its maker', match: { manufacturer: /^(?:Seiko )?EPSON\b/i }, quirks: { host: 'with port' } },
  { device: 'HP M630', match: { model: /^HP\b.*\bM630\b/i }, quirks: { host: 'localhost' } },
  { device: 'HP with a compact server', match: { server: /^HP_Compact_Server\b/i }, quirks: { host: 'localhost' } },
  { device: 'Brother', match: { model: /^Brother\b/i }, quirks: { earlyEnd: 'always', earlyEndMs: 3000 } },
  {
    device: 'Brother, by its maker',
    match: { manufacturer: /^Brother\b/i },
    quirks: { earlyEnd: 'always', earlyEndMs: 3000 },
  },
  {
    device: 'Xerox B205, B215',
    match: { model: /^(?:Xerox\b.*)?\bB2[01]5\b/i },
    quirks: { notReady: [404, 410], earlyEnd: 'always', earlyEndMs: 5000, keepsJobs: true },
  },
  {
    device: 'Xerox WorkCentre 3345',
    match: { model: /\bWorkCentre 3345\b/i },
    quirks: { notReady: [410], earlyEndMs: 5000, trustsEmpty: true },
  },
  { device: 'Canon MF410', match: { model: /^Canon\b.*\bMF410\b/i }, quirks: { trustsEmpty: true } },
  { device: 'Canon iR2625, iR2630', match: { model: /^Canon\b.*\biR26(?:25|30)/i }, quirks: { maxDpi: 300 } },
  { device: 'Kyocera', match: { model: /^Kyocera\b|\bECOSYS\b/i }, quirks: { processingIsEmpty: true } },
  { device: 'Kyocera, by its maker', match: { manufacturer: /^Kyocera\b/i }, quirks: { processingIsEmpty: true } },
];

export function quirksOf({
  makeAndModel,
  manufacturer = '',
  server = '',
}: Pick<ScannerCapabilities, 'makeAndModel' | 'manufacturer' | 'server'>): Quirks {
  const matches = (pattern: RegExp | undefined, text: string): boolean => pattern === undefined || pattern.test(text);
  const isMatch = ({ match }: QuirkRow) =>
    matches(match.model, makeAndModel) && matches(match.manufacturer, manufacturer) && matches(match.server, server);
  return quirkTable.filter(isMatch).reduceRight<Quirks>((all, { quirks }) => ({ ...all, ...quirks }), standard);
}

/** The capabilities without the resolutions that do not work. */
export function limited(capabilities: ScannerCapabilities, { maxDpi }: Quirks): ScannerCapabilities {
  if (maxDpi === Infinity) return capabilities;
  const limit = (caps: InputCaps): InputCaps => {
    const { list, range } = caps.resolutions;
    return {
      ...caps,
      resolutions: {
        list: list.filter(dpi => dpi <= maxDpi),
        ...(range && { range: { ...range, max: Math.min(range.max, maxDpi) } }),
      },
    };
  };
  const { platen, simplex, duplex } = capabilities;
  return {
    ...capabilities,
    ...(platen && { platen: limit(platen) }),
    ...(simplex && { simplex: limit(simplex) }),
    ...(duplex && { duplex: limit(duplex) }),
  };
}
