/** What the configuration may say of SANE, and how long its verbs may take. */

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
      description: 'Look for scanners of this computer only, not of the network.',
    },
    devices: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'Only devices whose SANE name is one of these; * stands for anything: "fujitsu:*".',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 180,
      description: 'A scan during which the backend delivers nothing for so long hangs: its helper is killed.',
    },
  },
};

/** Milliseconds without an answer of the helper, after which it counts as hanging. */
export interface Deadlines {
  /** Loading the backends; those of the network look around. */
  readonly init: number;
  readonly list: number;
  /** Many backends wake the scanner up, and some load its firmware. */
  readonly open: number;
  /** Reading and setting options. */
  readonly option: number;
  /** The end of a scan: the carriage may have to return. */
  readonly cancel: number;
  /** An abandoned scan is cancelled within this, or its helper is killed. Core waits for two seconds. */
  readonly abandon: number;
  /** Beginning a page: the lamp may have to warm up first. And a second for each megabyte of the page: some backends fetch all of it before they begin. */
  readonly start: number;
  /** Between two bands of a page; the most that its beginning may take. */
  readonly silence: number;
}

/** How long `sane_start` may take for a page of so many bytes, in milliseconds. */
export function startDeadline({ start, silence }: Deadlines, bytes: number): number {
  return Math.min(silence, start + Math.ceil(bytes / 1000));
}

/** Core gives up a listing after 30 s, and opening a device as well. */
export const deadlines: Omit<Deadlines, 'silence'> = {
  init: 20_000,
  list: 25_000,
  open: 28_000,
  option: 15_000,
  cancel: 30_000,
  abandon: 1500,
  start: 30_000,
};

/** Whether a SANE name is one of those that the configuration names; all are where it names none. */
export function isAllowed(name: string, allowed: readonly string[] | undefined): boolean {
  if (!allowed) return true;
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return allowed.some(each => new RegExp(`^${each.split('*').map(literal).join('.*')}$`, 's').test(name));
}
