/** How to fix what fails in the driver's cases that have no hint of their own: mostly, which export of core does it. */

const ask =
  'ask the device for a sheet when the page is pulled, not before: `deviceSession` does it for a `next()` of yours.';
const codes =
  'throw `ScanError` of @platen/core/plugin with the code for it: the list `driverCodes` of @platen/core/driver has them.';
const ends =
  'end the job of the device in the same place for stop, signal and return(): `oneScan` calls one function for all three.';
const openings = 'open and close through `createOpenings` of @platen/core/driver: it says busy, and ends what is open.';
const facts =
  'fill in the page from what the device delivered, not from what was asked for; `imageFacts` reads width, height and dpi of JPEG, PNG and TIFF, `imageFault` finds what is wrong.';
const own =
  'give each page a buffer of its own: copy with `Uint8Array.from` where the device or a library uses its buffer again.';
const capabilities =
  'hold the answer against `readDevice`, `readCapabilities` or `readStatus` of @platen/core/wire in a test: the service uses the same checks.';
const options = 'call `checkDriverOptions` of @platen/core/driver before the scan starts.';
const controls =
  'set what the order asks for on the device and name it in `adjusted` of the page; else, leave the control out of the capabilities.';
const signals =
  'call `signal.throwIfAborted()` first, and give the signal to what the driver waits for: `unlessAborted` of @platen/core/plugin.';
const again =
  'after a failure reset the job of the device, or throw `device-offline` and let the session be opened again.';

const byCase: Readonly<Record<string, string>> = {
  'devices-listing-ends-and-names-the-device':
    'end the listing after a search of seconds, and yield the device that the rig names in `deviceId`.',
  'devices-ids-are-unique': 'make the id of what never changes: serial number, address, port.',
  'devices-ids-are-stable':
    'make the id of what never changes: serial number, address, port; not of a counter or a list position.',
  'devices-are-well-formed': capabilities,
  'devices-watch-can-be-ended':
    'return a function from watch() that removes the listener, and allow it to be called twice.',
  'devices-scan-at-once':
    'keep what belongs to a device in its session; nothing of a scan belongs into a variable of the module.',
  'devices-end-apart': 'keep what belongs to a device in its session: the end of one scan must not touch another.',
  'open-gives-the-device-asked-for': 'give the session the device with the id that was asked for.',
  'open-twice-is-busy': openings,
  'open-again-after-close': openings,
  'close-is-idempotent': openings,
  'capabilities-are-well-formed': capabilities,
  'capabilities-agree-with-the-device': 'name a source in the capabilities if, and only if, the device has it.',
  'status-is-well-formed': capabilities,
  'status-tells-of-paper': 'report paper as the sensor does, and "unknown" where there is none.',
  'status-is-legal-while-scanning':
    'answer from what the session knows while a scan runs; do not use the connection of the scan.',
  'status-watch-can-be-ended':
    'return a function from watch() that removes the listener, and allow it to be called twice.',
  'status-watch-tells-of-paper':
    'call what watch() was given with "paper" when the sensor changes, until the returned function is called; without events of the device, leave watch() out: Platen asks for the status.',
  'memory-does-not-grow': 'drop a page when it was yielded, and close what a scan opened in `finally`.',
  '1-feeds-nothing-before-the-first-pull': ask,
  '1-feeds-no-sheet-that-was-not-pulled': ask,
  '1-both-sides-are-one-feed': 'keep the back of a sheet until it is pulled; feed the next sheet only then.',
  '1-yields-every-sheet-that-it-fed':
    'after a stop, read on until the device says that its path is empty, and yield what comes.',
  '1-sheets-is-the-most-to-feed': 'end after `order.sheets` sheets; a device that feeds on its own is `continuous`.',
  '1-source-is-followed': controls,
  '2-stop-feeds-nothing-more': ends,
  '2-stop-yields-what-is-in-the-path': ends,
  '2-stop-yields-the-back-of-a-fed-sheet': ends,
  '2-stop-before-the-scan-feeds-nothing': 'look at `stop.aborted` before the first sheet is fed.',
  '2-session-usable-after-stop': again,
  '2-return-feeds-nothing-more': ends,
  '3-signal-feeds-nothing-more': ends,
  '3-session-usable-after-signal': again,
  '3-aborted-scan-throws-at-once': signals,
  '3-aborted-open-throws-at-once': signals,
  '3-aborted-listing-throws-at-once': signals,
  '4-empty-feeder-is-no-paper': 'throw `no-paper` if no sheet came; after the first page, end without an error.',
  '4-session-usable-after-no-paper': again,
  '4-iterable-ends-after-last-sheet':
    'end the iterable when the device says that the feeder is empty, once a page was yielded.',
  '4-glass-yields-one-page': 'end a scan of the flatbed after one page.',
  '5-sheets-come-in-order': 'number the sheets from 1 in the order in which they leave the feeder.',
  '5-numbers-begin-anew-with-each-scan': 'count the sheets in the scan, not in the session.',
  '5-front-before-back': 'hold the back until the front was yielded, where the device delivers it first.',
  '5-facts-are-true': facts,
  '5-color-modes-are-told-truly': facts,
  '5-jam-yields-no-torn-page': 'yield a page only when its last byte came: `imageFault` finds a page that is cut off.',
  '6-buffers-are-not-reused': own,
  '6-buffers-do-not-overlap': own,
  '6-over-max-pixels-is-refused':
    'compare width times height with `order.maxPixels` as soon as they are known, and throw `unsupported`.',
  '7-import-does-nothing':
    'load native code and start programs in open() or devices(), not when the module is imported: `lateRequire` of @platen/core/plugin loads a package at its first use.',
  '8-adjusts-only-what-the-hardware-does': 'leave out of `adjusted` what the device did not do: the service does it.',
  '8-feeds-nothing-after-a-jam': 'end the scan with the failure; the person at the device decides what comes next.',
  '9-unknown-device-is-device-not-found': codes,
  '9-faults-arrive-with-their-code': codes,
  '9-usable-after-a-fault': again,
  '9-flatbed-faults-arrive-with-their-code': codes,
  '9-flatbed-usable-after-a-fault': again,
  '9-scan-after-close-carries-a-code': codes,
  '10-controls-are-those-of-the-features':
    'make `features.controls` and `features.driverOptions` say what the capabilities say.',
  '10-sheets-is-exact': controls,
  '10-brightness-is-followed': controls,
  '10-contrast-is-followed': controls,
  '10-threshold-is-followed': controls,
  '10-area-has-its-size':
    'round the area to the pixels of the device, `pixelsAt` does it for a resolution, and deliver what the device then scans.',
  '10-options-are-accepted-at-their-defaults': options,
  '10-unknown-option-is-unsupported': options,
  '10-wrong-value-is-unsupported': options,
  'unplug-ends-a-scan': 'throw `device-offline` when the connection is lost, after the pages that came whole.',
  'unplug-is-listed':
    'ask the device, or the list of devices of the system, at each listing, and say `online: false` or leave it out.',
  'unplug-is-told-to-watches':
    "call what the driver's and the session's watch() were given as soon as the connection is lost, at the latest when the scan fails.",
  'unplug-and-plug-scans-again': 'make the connection in open(): one of an earlier session may be dead.',
};

/** @returns the case's own hint, or the one that stands here */
export function fixOf({ id, hint }: { readonly id: string; readonly hint?: string }): string | undefined {
  return hint ?? (Object.hasOwn(byCase, id) ? `Fix: ${byCase[id]}` : undefined);
}

/** The ids of cases that have a fix here. */
export const fixedCases: readonly string[] = Object.keys(byCase);
