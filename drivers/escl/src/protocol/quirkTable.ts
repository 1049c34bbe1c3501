/**
 * Devices that differ from the specification. To add one: a row with its source, and a replay of the device's answers,
 * which the row's test needs: it must end as expected with the row, and otherwise without it.
 */

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

/** How a device is recognised: by the fields that are present. */
export interface Match {
  /** MakeAndModel, as capabilities or discovery say. */
  readonly model?: RegExp;
  /** Manufacturer. */
  readonly manufacturer?: RegExp;
  /** The Server header of its answers. */
  readonly server?: RegExp;
  /** What a real device says there. */
  readonly as: string;
}

export interface QuirkRow {
  /** As in docs/network-scanners.md. */
  readonly device: string;
  /** Any of them. */
  readonly match: readonly [Match, ...Match[]];
  readonly quirks: Partial<Quirks>;
  /** Where the behaviour is described. */
  readonly source: string;
  /** Files of fixtures/replays, without their ending. */
  readonly replays: readonly [string, ...string[]];
}

const airscan =
  'https://github.com/alexpevzner/sane-airscan/blob/84ef29d8bf1a60bb1130a146e4d74379cf983658/airscan-escl.c';
const airscanLater = 'https://github.com/alexpevzner/sane-airscan/blob/a5adee8/airscan-escl.c';
const issue = (number: number): string => `https://github.com/alexpevzner/sane-airscan/issues/${number}`;

export const quirkTable: readonly QuirkRow[] = [
  {
    device: 'Epson',
    match: [
      { model: /^EPSON\b/i, as: 'EPSON ET-5850 Series' },
      { manufacturer: /^(?:Seiko )?EPSON\b/i, as: 'EPSON' },
    ],
    quirks: { host: 'with port' },
    source: airscan,
    replays: ['epson-by-maker'],
  },
  {
    device: 'HP M630, M578',
    match: [
      { model: /^HP\b.*\bM630\b/i, as: 'HP LaserJet MFP M630' },
      { model: /^HP\b.*\bM578\b/i, as: 'HP Color LaserJet FlowMFP M578' },
    ],
    quirks: { host: 'localhost' },
    source: airscan,
    replays: ['hp-m630'],
  },
  {
    device: 'HP with a compact server',
    match: [{ server: /^HP_Compact_Server\b/i, as: 'HP_Compact_Server' }],
    quirks: { host: 'localhost' },
    source: issue(116),
    replays: ['hp-compact-server'],
  },
  {
    device: 'Brother',
    match: [
      { model: /^Brother\b/i, as: 'Brother MFC-L2710DW series' },
      { manufacturer: /^Brother\b/i, as: 'Brother' },
    ],
    quirks: { earlyEnd: 'always', earlyEndMs: 3000 },
    source: issue(39),
    replays: ['brother-early-404'],
  },
  {
    device: 'Xerox B205, B215',
    match: [
      { model: /^(?:Xerox\b.*)?\bB2[01]5\b/i, as: 'B205' },
      { model: /^(?:Xerox\b.*)?\bB2[01]5\b/i, as: 'Xerox B215 MFP' },
    ],
    quirks: { notReady: [404, 410], earlyEnd: 'always', earlyEndMs: 30_000, keepsJobs: true },
    source: airscanLater,
    replays: ['xerox-b205'],
  },
  {
    device: 'Xerox WorkCentre 3345',
    match: [{ model: /\bWorkCentre 3345\b/i, as: 'WorkCentre 3345' }],
    quirks: { notReady: [410], earlyEndMs: 30_000, trustsFeeder: true },
    source: airscanLater,
    replays: ['xerox-workcentre-3345', 'xerox-workcentre-3345-empty'],
  },
  {
    device: 'Canon MF410',
    match: [{ model: /^(?:Canon\b.*)?\bMF410\b/i, as: 'MF410 Series' }],
    quirks: { trustsFeeder: true },
    source: issue(98),
    replays: ['canon-mf410-empty', 'canon-mf410-jam'],
  },
  {
    device: 'Canon iR2625, iR2630',
    match: [{ model: /^Canon\b.*\biR26(?:25|30)/i, as: 'Canon iR2625/2630' }],
    quirks: { maxDpi: 300 },
    source: issue(57),
    replays: ['canon-ir2625'],
  },
  {
    device: 'Kyocera',
    match: [
      { model: /^Kyocera\b|\bECOSYS\b/i, as: 'ECOSYS M2540dn' },
      { manufacturer: /^Kyocera\b/i, as: 'KYOCERA' },
    ],
    quirks: { processingIsEmpty: true },
    source: airscan,
    replays: ['kyocera-processing'],
  },
];
