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

/** Milliseconds for each answer but a page: a page takes as long as the paper. */
const ANSWER_MS = 3000;

/** The call is given up with the signal, or when the device does not answer. */
const soon = (signal?: AbortSignal): AbortSignal => {
  const late = AbortSignal.timeout(ANSWER_MS);
  return signal ? AbortSignal.any([signal, late]) : late;
};

export type DeviceClient = ReturnType<typeof connect>;

/** Every call throws DeviceError, the reason of its signal, or Node's error of the connection. */
export function connect(address: string) {
  async function call(method: string, path: string, signal: AbortSignal, body?: object): Promise<Buffer> {
    const { status, data } = await send(new URL(path, address), { method, signal, agent: false }, body);
    if (status < 300) return data;
    const [, error] = /"error":"(\w+)"/.exec(data.toString('latin1', 0, 1000)) ?? [];
    throw new DeviceError(error ?? `HTTP ${status}`);
  }
  const read = async (method: string, path: string, signal?: AbortSignal, body?: object): Promise<unknown> =>
    JSON.parse((await call(method, path, soon(signal), body)).toString());

  return {
    facts: async (signal: AbortSignal) => (await read('GET', '/device', signal)) as Facts,
    state: async (signal: AbortSignal) => (await read('GET', '/status', signal)) as State,
    /** @returns the path of the job */
    async start(settings: Settings): Promise<string> {
      return `/jobs/${((await read('POST', '/jobs', undefined, settings)) as { job: number }).job}`;
    },
    /** Feeds the next sheet, or sends the back of the one that was fed. @returns a JPEG; undefined: the feeder is empty */
    async next(job: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
      const data = await call('POST', `${job}/next`, signal);
      return data.length > 0 ? data : undefined;
    },
    /** Stops the paper and frees the device; never throws. */
    async end(job: string): Promise<void> {
      await call('DELETE', job, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
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
