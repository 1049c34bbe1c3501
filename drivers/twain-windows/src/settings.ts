/** The configuration of TWAIN, and how long its operations may take. */

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
      description: 'Which bitnesses of sources to look for. A source of both is used in the bitness that comes first.',
    },
    sources: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'Only the sources with these names, as TWAIN’s own list of sources has them.',
    },
    ask: {
      enum: ['listing', 'opening'],
      default: 'listing',
      description:
        'When a source is first opened to learn what it has. "opening": when a client opens it; for drivers that show a window when their scanner is off.',
    },
    feeding: {
      enum: ['sheet', 'batch'],
      default: 'sheet',
      description:
        'How a feeder that does not scan ahead is fed. "sheet": it is enabled for each sheet that is pulled. "batch": once for the whole stack; for drivers that feed the next sheet ahead or start again whenever they are enabled.',
    },
    mostSheets: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000,
      default: 1000,
      description:
        'A scan that has fed so many sheets and is offered more ends with driver-failed: some drivers never say that their feeder is empty. The pages are kept.',
    },
    pageSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 120,
      description: 'A source that says nothing about a page for so long has hung: the scan fails with timeout.',
    },
    helpers: {
      type: 'object',
      additionalProperties: false,
      properties: {
        x64: {
          type: 'string',
          minLength: 1,
          description: 'Path of the 64-bit helper, relative to the data folder; absent: the one of this package.',
        },
        x86: {
          type: 'string',
          minLength: 1,
          description: 'Path of the 32-bit helper, relative to the data folder; absent: the one of this package.',
        },
      },
      description: 'Helper programs in other places than this package’s.',
    },
  },
};

/** Milliseconds without an answer of the helper, after which it counts as hanging. */
export interface Deadlines {
  /** Loading the manager, and listing the sources. */
  readonly manager: number;
  /** Drivers wake the scanner up, and some load its firmware. */
  readonly open: number;
  /** A capability. */
  readonly operation: number;
  /** Enabling, where a page has less time, and disabling: some return when the first sheet is fed or scanned. */
  readonly enable: number;
  /** A scan that is abandoned has ended after this, or its helper is killed. Core waits for two seconds. */
  readonly abandon: number;
  /** Part of `abandon`: how long the driver waits for the natural event of a page that is on its way. */
  readonly settle: number;
  /** Nothing of a page for so long: a source may feed and scan during any operation on it. */
  readonly page: number;
}

/** Core gives up listing, and opening a device, after 30 s. */
export const deadlines: Omit<Deadlines, 'page'> = {
  manager: 15_000,
  open: 28_000,
  operation: 15_000,
  enable: 60_000,
  abandon: 1500,
  settle: 800,
};
