/** What cases are grouped by in a score: the promises of a kind of plugin, and how much each counts. */

export interface PromiseGroup {
  readonly id: string;
  readonly title: string;
  /** Relative to the other promises of a package. */
  readonly weight: number;
  /** Why it counts so much: what a customer loses where it is broken. */
  readonly reason: string;
}

/**
 * The gravest first: 20 for a false page, 15 for a lost page or lost paper, 8 to 10 for a scanner that hangs or cannot be
 * used again, 4 to 8 for wrong answers, less for convenience.
 */
const weights: readonly (readonly [id: string, title: string, weight: number, reason: string])[] = [
  ['1', 'Feeds only what is pulled', 15, 'A sheet that was fed and not delivered is a lost page.'],
  ['2', 'Stops', 8, 'Paper that moves after a stop has to be sorted by hand.'],
  ['3', 'Abandons at a signal', 10, 'A scan that cannot be ended blocks the scanner.'],
  ['4', 'Busy, empty, finished', 5, 'A wrong answer sends a person to the scanner for nothing.'],
  ['5', 'True pages in order', 20, 'A false, torn or misplaced page is archived, and nobody notices.'],
  ['6', 'Memory of a page', 15, 'A buffer that is used again changes a page that was already delivered.'],
  ['7', 'Import without effect', 4, 'A package that acts on import harms computers that do not have its scanner.'],
  ['8', 'Nothing done in secret', 8, 'What a driver changes by itself cannot be undone.'],
  ['9', 'Errors with a code', 8, 'Without its code, an application cannot say what to do.'],
  [
    '10',
    'Controls and options',
    6,
    'A control that is named and not followed gives another picture than was asked for.',
  ],
  ['devices', 'Lists its devices', 6, 'A scanner whose id changes has to be chosen again.'],
  ['sessions', 'Opens and closes', 8, 'A device that stays open cannot be used until the service is restarted.'],
  [
    'status',
    'Capabilities and status',
    5,
    'A page offers what the scanner does not have, or says that the feeder is full.',
  ],
  ['unplug', 'Unplugged and plugged in again', 8, 'A scanner that does not come back needs a restart of the service.'],
  ['content', 'The result is right', 20, 'A wrong pixel, word or order is archived, and nobody notices.'],
  ['input', 'The page is left as it is', 15, 'Other plugins still read the page: what is written into it is false.'],
  ['failures', 'Failures are told', 10, 'A file that is half written looks like a whole one.'],
  ['calls', 'Ends, and runs beside others', 8, 'A call that cannot be ended, or blocks, holds up all scans.'],
  ['follow', 'Follows scans', 10, 'A page that is not counted is not billed, and nobody notices.'],
  ['names', 'Names and options', 5, 'What has a wrong name cannot be asked for.'],
  ['memory', 'Memory', 6, 'A service that runs out of memory loses the scan, of 200 pages too.'],
  ['speed', 'Speed', 3, 'A slow scan is late, but right.'],
  ['package', 'The package', 6, 'A package that does not install or load scans nothing.'],
  ['other', 'Other cases', 5, 'Cases that belong to none of these.'],
];

export const promises: readonly PromiseGroup[] = weights.map(([id, title, weight, reason]) => ({
  id,
  title,
  weight,
  reason,
}));

/** By the first word of a driver's case without a number. */
const byFirstWord: Readonly<Record<string, string>> = {
  devices: 'devices',
  open: 'sessions',
  close: 'sessions',
  leaves: 'sessions',
  capabilities: 'status',
  status: 'status',
  unplug: 'unplug',
  memory: 'memory',
  speed: 'speed',
  package: 'package',
};

/** Of the other kinds. */
const casesOf: Readonly<Record<string, readonly string[]>> = {
  content: [
    'magic-bytes pixels-survive size-and-depth-stored resolution-stored padding-left-out one-pixel-page',
    'quality-honoured page-consistent untouched-page-returned every-kind-of-pixels colours-reduced finding-is-json',
    'reads-the-page blank-page word-facts blank-page-words barcode-facts formats-narrow stop-after-first blank-facts',
    'fed-from-any-edge pages-in-order every-kind-of-page resolutions turns words-written any-title documents-apart',
  ],
  input: ['page-not-written-to slices-not-kept pages-returned'],
  failures: ['broken-file-refused pages-throws page-fails short-file unknown-file nothing-after-failure'],
  follow: ['events-taken unknown-event-left-alone every-page-counted scans-counted-apart counts-outlive-a-restart'],
  calls: [
    'abort-honoured event-loop-free concurrent-encodes concurrent-applies concurrent-reads',
    'follow-ends follow-keeps-up follow-loop-free close-ends nothing-left-open',
  ],
  memory: ['page-written-first one-page-at-a-time reads-ended memory-bounded'],
  names: ['names adjustment-known options-checked kind-known wishes-checked'],
};

const byCase = new Map(
  Object.entries(casesOf).flatMap(([promise, lines]) =>
    lines.flatMap(line => line.split(' ')).map(id => [id, promise] as const),
  ),
);

/** @returns the id of the promise that a case belongs to: of `5-front-before-back`, 5 */
export function promiseOf(caseId: string): string {
  const [first = ''] = caseId.split('-');
  if (/^\d+$/.test(first)) return promises.some(each => each.id === first) ? first : 'other';
  return byCase.get(caseId) ?? byFirstWord[first] ?? 'other';
}
