/** The driver's options, and the deadlines of TWAIN's operations. */

export type Bits = 64 | 32;

export interface TwainOptions {
  readonly bits: readonly Bits[];
  readonly sources?: readonly string[];
  readonly ask: 'listing' | 'opening';
  readonly feeding: 'sheet' | 'batch';
  readonly mostSheets: number;
  readonly pageSeconds: number;
  readonly helpers?: Readonly<Partial<Record<'x64' | 'x86', string>>>;
}

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    bits: {
      type: 'array',
      items: { enum: [64, 32] },
      minItems: 1,
      uniqueItems: true,
      default: [64, 32],
      description: 'The bitnesses of sources to look for. A source with both is used in the bitness that comes first.',
    },
    sources: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'Use only the sources with these names, as in TWAIN’s own list of sources.',
    },
    ask: {
      enum: ['listing', 'opening'],
      default: 'listing',
      description:
        'When to open a source for the first time, to read its capabilities. "opening": when a client opens it; for drivers that show a window when their scanner is off.',
    },
    feeding: {
      enum: ['sheet', 'batch'],
      default: 'sheet',
      description:
        'How a feeder that does not scan ahead is fed. "sheet": it is enabled for each sheet. "batch": once for the whole stack; for drivers that feed the next sheet ahead or start again whenever they are enabled.',
    },
    mostSheets: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 1000,
      description:
        'A scan that has fed this many sheets and is offered more ends with driver-failed: some drivers never report an empty feeder. The pages are kept.',
    },
    pageSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 120,
      description: 'A source that reports nothing about a page for this long has hung: the scan fails with timeout.',
    },
    helpers: {
      type: 'object',
      additionalProperties: false,
      properties: {
        x64: {
          type: 'string',
          minLength: 1,
          description: 'Path of the 64-bit helper, relative to the data folder; absent: this package’s.',
        },
        x86: {
          type: 'string',
          minLength: 1,
          description: 'Path of the 32-bit helper, relative to the data folder; absent: this package’s.',
        },
      },
      description: 'Paths of helper programs, if they are not this package’s.',
    },
  },
};

/** Milliseconds without an answer after which the helper counts as hanging. */
export interface Deadlines {
  /** Loading the manager, and listing the sources. */
  readonly manager: number;
  /** Drivers wake the scanner up, and some load its firmware. */
  readonly open: number;
  /** Reading or setting a capability. */
  readonly operation: number;
  /** Enabling, if a page has less time, and disabling: some return when the first sheet is fed or scanned. */
  readonly enable: number;
  /** An abandoned scan must end within this, or its helper is killed. Core waits 2 s. */
  readonly abandon: number;
  /** Part of `abandon`: how long the driver waits for a pending page. */
  readonly settle: number;
  /** Limit without page data: a source may feed and scan during any operation. */
  readonly page: number;
  /** A listing does not open a source that is offline again for this long: its driver may show a window. */
  readonly rest: number;
}

/** Core gives up listing, and opening a device, after 30 s. */
export const deadlines: Omit<Deadlines, 'page'> = {
  manager: 15_000,
  open: 28_000,
  operation: 15_000,
  enable: 60_000,
  abandon: 1500,
  settle: 800,
  rest: 10 * 60_000,
};
