/** What the configuration may say of network scanners, and how long things may take. */

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
      description: 'Addresses of scanners: "http://192.168.1.20" or, with a port and a path, "https://scanner.local:443/eSCL". The path is eSCL where none is given.',
    },
    discovery: { type: 'boolean', default: true, description: 'Look for scanners of the local network (mDNS, UDP port 5353).' },
    discoverySeconds: { type: 'number', exclusiveMinimum: 0, maximum: 20, default: 2, description: 'How long the first listing, and the search for an unknown scanner, wait for scanners to answer.' },
    discoveryInterface: { type: 'string', minLength: 7, description: 'The IPv4 address of the network interface to look on; absent: all of them.' },
    discoveryPort: { type: 'integer', minimum: 1, maximum: 65535, default: 5353, description: 'The UDP port of discovery; another one than 5353 is for tests.' },
    feeding: {
      enum: ['continuous', 'perSheet'],
      default: 'continuous',
      description: 'Whether feeders draw in sheets before they are fetched, as most do, or one for each page that is fetched.',
    },
    silenceSeconds: {
      type: 'integer',
      minimum: 10,
      maximum: 3600,
      default: 120,
      description: 'A scan in which the device delivers nothing for so long, or says for so long that it is not ready, has timed out.',
    },
    mostPages: {
      type: 'integer',
      minimum: 1,
      maximum: 1_000_000,
      default: 2000,
      description: 'A scan of more pages than this is ended: a device whose feeder never says that it is empty would fill the disk.',
    },
  },
};

/** Milliseconds. */
export interface Deadlines {
  /** For a small answer: capabilities, at a listing too. */
  readonly answer: number;
  /** For the status, of which auto-scan waits five seconds; it is asked twice. */
  readonly status: number;
  /** A device that is still busy with its last job is asked again for so long. */
  readonly busy: number;
  /** Between two questions to a device that does not say when to come again. */
  readonly again: number;
  /** The end of a job; core waits two seconds for a scan that it abandoned. */
  readonly end: number;
  /** For a page, and between two pieces of it. */
  readonly silence: number;
}

export const deadlines: Omit<Deadlines, 'silence'> = {
  answer: 8000,
  status: 2000,
  busy: 8000,
  again: 1000,
  end: 1500,
};
