/** The driver's options, and the deadlines of its steps. */

export interface IcaOptions {
  readonly transfer: 'memory' | 'file';
  readonly network: boolean;
  readonly silenceSeconds: number;
}

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    transfer: {
      enum: ['memory', 'file'],
      default: 'memory',
      description:
        'How pages arrive: in memory, or as files in a temporary folder, for scanners whose scans in memory end without a page.',
    },
    network: {
      type: 'boolean',
      default: false,
      description: 'List network scanners, too. @platen/driver-escl already lists those that speak eSCL.',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 180,
      description: 'A scan in which the scanner delivers nothing for this long has hung, and its helper is killed.',
    },
  },
};

/** Milliseconds without an answer after which the helper counts as hanging and is killed. */
export interface Deadlines {
  /** Core waits 3 s for a listing: later answers are listed with a guess first, and reported when they arrive. */
  readonly list: number;
  /** For the browser to find a connected scanner; also how long a listing waits for network scanners. */
  readonly look: number;
  /** A network scanner may need to wake up. */
  readonly open: number;
  readonly ready: number;
  readonly select: number;
  /** Reading and setting a unit's properties: only local calls. */
  readonly describe: number;
  readonly close: number;
  /** An abandoned scan must be cancelled within this, or its helper is killed. Core waits 2 s. */
  readonly cancel: number;
  /** A scan is over if nothing arrives for this long after the scanner reported an error. */
  readonly settle: number;
  /** Between two bands of a page, and before the first. */
  readonly scan: number;
}

/** Core gives up opening a device after 30 s. */
export const deadlines: Omit<Deadlines, 'scan'> = {
  list: 2000,
  look: 5000,
  open: 10_000,
  ready: 10_000,
  select: 8000,
  describe: 5000,
  close: 5000,
  cancel: 1500,
  settle: 3000,
};
