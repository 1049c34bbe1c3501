/** Where devices differ from the specification, as data: the first row that fits a device counts for each fact. */

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
}

const standard: Quirks = { host: 'standard', earlyEnd: 'contradicted', earlyEndMs: 1000, notReady: [], processingIsEmpty: false, trustsEmpty: false };

interface Row {
  /** MakeAndModel, as capabilities or discovery say. */
  readonly fits: RegExp;
  readonly is: Partial<Quirks>;
}

export const quirkTable: readonly Row[] = [
  { fits: /^EPSON\b/i, is: { host: 'with port' } },
  { fits: /^HP\b.*\bM630\b/i, is: { host: 'localhost' } },
  { fits: /^Brother\b/i, is: { earlyEnd: 'always' } },
  { fits: /^Xerox\b.*\bB2[01]5\b/i, is: { notReady: [404, 410], earlyEnd: 'always', earlyEndMs: 5000 } },
];

export function quirksOf(makeAndModel: string): Quirks {
  const found = quirkTable.filter(({ fits }) => fits.test(makeAndModel)).reverse();
  return found.reduce<Quirks>((quirks, { is }) => ({ ...quirks, ...is }), standard);
}
