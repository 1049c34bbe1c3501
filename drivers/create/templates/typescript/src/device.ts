/** The device's protocol. Yours: calls of your SDK or protocol; no other file of the driver knows how they are made. */
import { request, type RequestOptions } from 'node:http';

export interface Facts {
  readonly maker: string;
  readonly model: string;
  readonly serial: string;
}

export interface State {
  readonly paper: boolean;
  /** A code of `errors.ts`, while the device cannot scan. */
  readonly error?: string;
}

export interface Settings {
  readonly source: 'feeder' | 'flatbed';
  readonly sides: 1 | 2;
  readonly dpi: number;
  readonly color: 'color' | 'gray';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** The most to feed. */
  readonly sheets?: number;
  readonly detectDoubleFeed?: boolean;
}

/** The device refused, or reported a fault. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
  /** The device's own: `JAM`. */
  readonly reported: string;

  constructor(reported: string) {
    super(`the device reported ${reported}`);
    this.reported = reported;
  }
}

/** Milliseconds for each answer but a page. */
const ANSWER_MS = 3000;
/** Yours: for a page, longer than the longest sheet takes at the highest resolution. */
const PAGE_MS = 120_000;

interface Limits {
  /** Gives the call up with its reason. Without it, the time limit alone ends the call. */
  readonly signal?: AbortSignal;
  readonly ms?: number;
}

/** A job of the device. A wait of it ends with the scan, without a signal for each call: see `begin`. */
export interface Job {
  /** Feeds the next sheet, or sends the back of the one that was fed. @returns a JPEG; undefined: the feeder is empty */
  next(): Promise<Uint8Array | undefined>;
  /** Stops the paper and frees the device; never throws. */
  end(): Promise<void>;
}

export type DeviceClient = ReturnType<typeof connect>;

/** Every call has a time limit. It throws DeviceError, the reason of its signal, or Node's error of the connection. */
export function connect(address: string) {
  async function call(
    method: string,
    path: string,
    { signal, ms = ANSWER_MS }: Limits = {},
    body?: object,
  ): Promise<Buffer> {
    const late = AbortSignal.timeout(ms);
    const given = signal ? AbortSignal.any([signal, late]) : late;
    const { status, data } = await send(new URL(path, address), { method, signal: given, agent: false }, body);
    if (status < 300) return data;
    const [, error] = /"error":"(\w+)"/.exec(data.toString('latin1', 0, 1000)) ?? [];
    throw new DeviceError(error ?? `HTTP ${status}`);
  }
  const read = async (method: string, path: string, limits?: Limits, body?: object): Promise<unknown> =>
    JSON.parse((await call(method, path, limits, body)).toString());

  return {
    facts: async (signal: AbortSignal) => (await read('GET', '/device', { signal })) as Facts,
    state: async (signal: AbortSignal) => (await read('GET', '/status', { signal })) as State,
    /** @param ended gives up every wait of the job. A call that outlives its scan would hold up the scanner. */
    async begin(settings: Settings, ended: AbortSignal): Promise<Job> {
      // Without `ended`: nobody could end a job whose number did not come.
      const { job } = (await read('POST', '/jobs', {}, settings)) as { job: number };
      return {
        async next() {
          const data = await call('POST', `/jobs/${job}/next`, { signal: ended, ms: PAGE_MS });
          return data.length > 0 ? data : undefined;
        },
        async end() {
          await call('DELETE', `/jobs/${job}`).catch(() => undefined);
        },
      };
    },
  };
}

/** One connection for each request: devices keep few. The parts of a page are joined once. */
function send(url: URL, options: RequestOptions, body?: object): Promise<{ status: number; data: Buffer }> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(options.signal?.aborted ? options.signal.reason : error);
    const sent = request(url, options, response => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('error', fail);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, data: Buffer.concat(parts) }));
    });
    sent.on('error', fail).end(body && JSON.stringify(body));
  });
}
