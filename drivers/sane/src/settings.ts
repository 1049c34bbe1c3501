/** The driver's options, and the deadlines of its verbs. */

export interface SaneOptions {
  readonly configDir?: string;
  readonly localOnly: boolean;
  readonly devices?: readonly string[];
  readonly silenceSeconds: number;
}

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    configDir: {
      type: 'string',
      minLength: 1,
      description:
        'The folder with dll.conf and the backends’ own files, relative to the data folder; absent: SANE_CONFIG_DIR, or the system’s.',
    },
    localOnly: {
      type: 'boolean',
      default: false,
      description: 'List only scanners of this computer, not of the network.',
    },
    devices: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'List only these SANE names; * matches anything: "fujitsu:*".',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 180,
      description: 'A scan in which the backend delivers nothing for this long has hung, and its helper is killed.',
    },
  },
};

/** Milliseconds without an answer after which the helper counts as hanging. */
export interface Deadlines {
  /** Loading the backends; network backends search. */
  readonly init: number;
  readonly list: number;
  /** Opening: many backends wake the scanner up, and some load its firmware. */
  readonly open: number;
  /** Reading and setting options. */
  readonly option: number;
  /** The end of a scan: the carriage may have to return. */
  readonly cancel: number;
  /** An abandoned scan must be cancelled within this, or its helper is killed. Core waits 2 s. */
  readonly abandon: number;
  /** Starting a page: the lamp may need to warm up. Plus 1 s per MB: some backends fetch the whole page before they return. */
  readonly start: number;
  /** Between two bands of a page; also the limit for its start. */
  readonly silence: number;
}

/** How long `sane_start` may take for a page of this many bytes, ms. */
export function startDeadline({ start, silence }: Deadlines, bytes: number): number {
  return Math.min(silence, start + Math.ceil(bytes / 1000));
}

/** Core aborts a listing, and the opening of a device, after 30 s. */
export const deadlines: Omit<Deadlines, 'silence'> = {
  init: 20_000,
  /** Leaves time for a second search, without the backend that hangs. */
  list: 20_000,
  open: 28_000,
  option: 15_000,
  cancel: 30_000,
  abandon: 1500,
  start: 30_000,
};

/** Whether the configuration allows a SANE name; without a list, it allows all. */
export function isAllowed(name: string, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return allowed.some(each => new RegExp(`^${each.split('*').map(literal).join('.*')}$`, 's').test(name));
}
