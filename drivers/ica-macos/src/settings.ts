/** What the configuration may say of ImageCaptureCore, and how long its steps may take. */

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
        'How pages come: in memory, or as files of a temporary folder, for a scanner whose scans in memory end without a page.',
    },
    network: {
      type: 'boolean',
      default: false,
      description:
        'List scanners of the network as well: those that speak eSCL are listed by @platen/driver-escl already.',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 180,
      description: 'A scan during which the scanner delivers nothing for so long hangs: its helper is killed.',
    },
  },
};

/** Milliseconds without an answer of the helper, after which it counts as hanging and is killed. */
export interface Deadlines {
  /** Core waits three seconds for a listing: what is not known by then is listed with a guess, and told when it is. */
  readonly list: number;
  /** Until a browser has found a scanner that is there; and until a listing goes on without those of the network. */
  readonly look: number;
  /** A network scanner may have to wake up. */
  readonly open: number;
  readonly ready: number;
  readonly select: number;
  /** Reading and setting what a unit has: nothing but local calls. */
  readonly describe: number;
  readonly close: number;
  /** An abandoned scan is cancelled within this, or its helper is killed. Core waits for two seconds. */
  readonly cancel: number;
  /** A scan of which nothing comes for so long after the scanner has told of an error is over. */
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
