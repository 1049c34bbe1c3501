/** The device's protocol. Yours: calls of your SDK or protocol; no other file of the driver knows how they are made. */

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
const soon = (signal: AbortSignal): AbortSignal => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);

export type DeviceClient = ReturnType<typeof connect>;

/** Every call throws DeviceError, the reason of its signal, or what `fetch` throws. */
export function connect(address: string) {
  async function call(method: string, path: string, signal: AbortSignal, body?: object): Promise<Response> {
    const response = await fetch(new URL(path, address), {
      method,
      signal,
      redirect: 'error',
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.ok) return response;
    const { error } = (await response.json().catch(() => ({}))) as { error?: unknown };
    throw new DeviceError(typeof error === 'string' ? error : `HTTP ${response.status}`);
  }

  return {
    facts: async (signal: AbortSignal) => (await (await call('GET', '/device', soon(signal))).json()) as Facts,
    state: async (signal: AbortSignal) => (await (await call('GET', '/status', soon(signal))).json()) as State,
    /** @returns the path of the job */
    async start(settings: Settings, signal: AbortSignal): Promise<string> {
      const { job } = (await (await call('POST', '/jobs', soon(signal), settings)).json()) as { job: number };
      return `/jobs/${job}`;
    },
    /** Feeds the next sheet, or sends the back of the one that was fed. @returns a JPEG; undefined: the feeder is empty */
    async next(job: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
      const response = await call('POST', `${job}/next`, signal);
      return response.status === 204 ? undefined : new Uint8Array(await response.arrayBuffer());
    },
    /** Stops the paper and frees the device; never throws. */
    async end(job: string): Promise<void> {
      await call('DELETE', job, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
    },
  };
}
