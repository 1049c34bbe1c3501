/** The options of the driver, and its deadlines. */

export interface EsclOptions {
  readonly devices: readonly string[];
  readonly discovery: boolean;
  readonly discoverySeconds: number;
  readonly discoveryInterface?: string;
  readonly discoveryPort: number;
  readonly feeding: 'continuous' | 'perSheet';
  readonly silenceSeconds: number;
  readonly mostPages: number;
}

export const optionsSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    devices: {
      type: 'array',
      items: { type: 'string', pattern: '^https?://[^/?#@]+(/[^?#]*)?$' },
      uniqueItems: true,
      default: [],
      description:
        'Addresses of scanners: "http://192.168.1.20" or, with port and path, "https://scanner.local:443/eSCL". Without a path, eSCL is used.',
    },
    discovery: {
      type: 'boolean',
      default: true,
      description: 'Discover scanners on the local network (mDNS, UDP port 5353).',
    },
    discoverySeconds: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 20,
      default: 2,
      description:
        'How long the first listing, and the search for an unknown scanner, wait for scanners to answer, in seconds.',
    },
    discoveryInterface: {
      type: 'string',
      minLength: 7,
      description: 'The IPv4 address of the network interface for discovery. Default: all interfaces.',
    },
    discoveryPort: {
      type: 'integer',
      minimum: 1,
      maximum: 65535,
      default: 5353,
      description: 'The UDP port of discovery. Ports other than 5353 are for tests.',
    },
    feeding: {
      enum: ['continuous', 'perSheet'],
      default: 'continuous',
      description:
        'Whether feeders feed sheets before their pages are requested, as most do, or one sheet per request.',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 120,
      description: 'A scan times out when the device sends nothing, or is not ready, for this many seconds.',
    },
    mostPages: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 2000,
      description:
        'A scan ends with an error after this many pages: a device whose feeder never reports empty would fill the disk.',
    },
  },
};

/** Milliseconds. */
export interface Deadlines {
  /** For capabilities, also while listing. */
  readonly answer: number;
  /** For the status, which is asked twice; auto-scan waits five seconds for it. */
  readonly status: number;
  /** How long a device that is busy with its last job is asked again. */
  readonly busy: number;
  /** Between two requests to a device that sends no Retry-After. */
  readonly again: number;
  /** For the deletion of a job; core waits two seconds for a scan that it abandoned. */
  readonly end: number;
  /** For a page, and between two chunks of it. */
  readonly silence: number;
}

export const deadlines: Omit<Deadlines, 'silence'> = {
  answer: 8000,
  status: 2000,
  busy: 8000,
  again: 1000,
  end: 1500,
};
