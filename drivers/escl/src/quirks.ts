/** Where devices differ from the specification, as data: every row that fits a device counts, and of two that say something of the same fact the first. */
import type { InputCaps, ScannerCapabilities } from './scannerCapabilities.js';

export interface Quirks {
  /** What stands in the Host header: as the standard says; with the port in any case; `localhost`. */
  readonly host: 'standard' | 'with port' | 'localhost';
  /**
   * How long 404 may mean "not yet": `always`, or only while the device's own status says that there is more to come.
   * Its end is asked for that long.
   */
  readonly earlyEnd: 'always' | 'contradicted';
  readonly earlyEndMs: number;
  /** Statuses of NextDocument that mean the same as 503. */
  readonly notReady: readonly number[];
  /** `ScannerAdfProcessing` of a device that does not scan means an empty feeder. */
  readonly processingIsEmpty: boolean;
  /** Its feeder is not tried while the sensor says that it is empty: it would say "jam". Most sensors are asked too early to be believed. */
  readonly trustsEmpty: boolean;
  /** A job that has ended by itself is not deleted. */
  readonly keepsJobs: boolean;
  /** It offers more dots per inch than it scans. */
  readonly mostDpi: number;
}

export const standard: Quirks = {
  host: 'standard',
  earlyEnd: 'contradicted',
  earlyEndMs: 1000,
  notReady: [],
  processingIsEmpty: false,
  trustsEmpty: false,
  keepsJobs: false,
  mostDpi: Infinity,
};

/** What a device is known by: what is present has to fit. */
interface Signs {
  /** MakeAndModel, as capabilities or discovery say. */
  readonly model?: RegExp;
  /** Manufacturer. */
  readonly maker?: RegExp;
  /** The Server header of its answers. */
  readonly server?: RegExp;
}

export interface Row {
  /** For people. */
  readonly device: string;
  readonly fits: Signs;
  readonly is: Partial<Quirks>;
}

/** From sane-airscan's code and issues, and from NAPS2's. */
export const quirkTable: readonly Row[] = [
  { device: 'Epson', fits: { model: /^EPSON\b/i }, is: { host: 'with port' } },
  { device: 'Epson, by its maker', fits: { maker: /^(?:Seiko )?EPSON\b/i }, is: { host: 'with port' } },
  { device: 'HP M630', fits: { model: /^HP\b.*\bM630\b/i }, is: { host: 'localhost' } },
  { device: 'HP with a compact server', fits: { server: /^HP_Compact_Server\b/i }, is: { host: 'localhost' } },
  { device: 'Brother', fits: { model: /^Brother\b/i }, is: { earlyEnd: 'always', earlyEndMs: 3000 } },
  { device: 'Brother, by its maker', fits: { maker: /^Brother\b/i }, is: { earlyEnd: 'always', earlyEndMs: 3000 } },
  { device: 'Xerox B205, B215', fits: { model: /^(?:Xerox\b.*)?\bB2[01]5\b/i }, is: { notReady: [404, 410], earlyEnd: 'always', earlyEndMs: 5000, keepsJobs: true } },
  { device: 'Xerox WorkCentre 3345', fits: { model: /\bWorkCentre 3345\b/i }, is: { notReady: [410], earlyEndMs: 5000, trustsEmpty: true } },
  { device: 'Canon MF410', fits: { model: /^Canon\b.*\bMF410\b/i }, is: { trustsEmpty: true } },
  { device: 'Canon iR2625, iR2630', fits: { model: /^Canon\b.*\biR26(?:25|30)/i }, is: { mostDpi: 300 } },
  { device: 'Kyocera', fits: { model: /^Kyocera\b|\bECOSYS\b/i }, is: { processingIsEmpty: true } },
  { device: 'Kyocera, by its maker', fits: { maker: /^Kyocera\b/i }, is: { processingIsEmpty: true } },
];

export interface Traits {
  readonly makeAndModel: string;
  readonly manufacturer?: string;
  readonly server?: string;
}

export function quirksOf({ makeAndModel, manufacturer = '', server = '' }: Traits): Quirks {
  const fits = (sign: RegExp | undefined, text: string): boolean => sign === undefined || sign.test(text);
  const found = quirkTable.filter(({ fits: { model, maker, server: program } }) => fits(model, makeAndModel) && fits(maker, manufacturer) && fits(program, server));
  return found.reverse().reduce<Quirks>((quirks, { is }) => ({ ...quirks, ...is }), standard);
}

/** What a device can do of what it offers. */
export function curbed(capabilities: ScannerCapabilities, { mostDpi }: Quirks): ScannerCapabilities {
  if (mostDpi === Infinity) return capabilities;
  const curb = (caps: InputCaps): InputCaps => {
    const { list, range } = caps.resolutions;
    return { ...caps, resolutions: { list: list.filter(dpi => dpi <= mostDpi), ...(range && { range: { ...range, max: Math.min(range.max, mostDpi) } }) } };
  };
  const { platen, simplex, duplex } = capabilities;
  return { ...capabilities, ...(platen && { platen: curb(platen) }), ...(simplex && { simplex: curb(simplex) }), ...(duplex && { duplex: curb(duplex) }) };
}
