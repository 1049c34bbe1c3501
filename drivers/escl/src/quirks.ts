/** How devices may differ from the specification; which ones do is in the table. */
import { quirkTable, type Match } from './quirkTable.js';
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
  /**
   * A feeder that reports empty or a jam is not tried: it would report a jam. With others the scan is tried: sensors are
   * slow, and report a jam until the next scan.
   */
  readonly trustsFeeder: boolean;
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
  trustsFeeder: false,
  keepsJobs: false,
  maxDpi: Infinity,
};

/** All rows that match a device apply; of the same quirk, the first. */
export function quirksOf({
  makeAndModel,
  manufacturer = '',
  server = '',
}: Pick<ScannerCapabilities, 'makeAndModel' | 'manufacturer' | 'server'>): Quirks {
  const matches = (pattern: RegExp | undefined, text: string): boolean => pattern === undefined || pattern.test(text);
  const isMatch = ({ model, manufacturer: maker, server: header }: Match) =>
    matches(model, makeAndModel) && matches(maker, manufacturer) && matches(header, server);
  return quirkTable
    .filter(({ match }) => match.some(isMatch))
    .reduceRight<Quirks>((all, { quirks }) => ({ ...all, ...quirks }), standard);
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
