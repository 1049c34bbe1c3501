/** How devices may differ from the specification; which ones do is in the table. */
import { type Match, type Quirks, quirkTable } from './quirkTable.js';
import type { InputCaps, ScannerCapabilities } from './scannerCapabilities.js';

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
