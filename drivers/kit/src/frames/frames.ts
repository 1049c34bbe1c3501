/** Frames over any byte stream: u32 header length, u32 data length (little-endian), a JSON object, bytes. */
import { uninitialisedBytes } from './bytes.js';

export interface Frame {
  readonly header: Readonly<Record<string, unknown>>;
  readonly data: Uint8Array;
}

/** A larger length is rejected before anything is allocated for it. */
export interface FrameLimits {
  readonly headerBytes: number;
  readonly dataBytes: number;
}

/** Pixels are sent in bands of at most 1 MiB, never as a whole page, so that other frames can go in between. */
export const frameLimits: FrameLimits = { headerBytes: 64 * 1024, dataBytes: 4 * 1024 * 1024 };

export interface FrameOptions {
  readonly limits?: Partial<FrameLimits> | undefined;
  /**
   * The destination of a frame's data: a slice of a page's buffer, exactly as long as the data, so that a band is copied
   * once. It is called after the previous frame was taken. Absent or undefined: a fresh array.
   */
  place?(header: Frame['header'], length: number): Uint8Array | undefined;
}

const LEAD = 8;
const nothing = new Uint8Array();

/**
 * The chunks to write, in order; the last is `data` itself, not a copy.
 * @throws Error if the other end would reject the frame
 */
export function encodeFrame(
  header: object,
  data: Uint8Array = nothing,
  limits: Partial<FrameLimits> = {},
): Uint8Array[] {
  const json = Buffer.from(JSON.stringify(header), 'utf8');
  checkLengths(json.length, data.length, { ...frameLimits, ...limits });
  const lead = Buffer.allocUnsafe(LEAD + json.length);
  lead.writeUInt32LE(json.length, 0);
  lead.writeUInt32LE(data.length, 4);
  lead.set(json, LEAD);
  return data.length > 0 ? [lead, data] : [lead];
}

/**
 * The frames of a stream until it ends. Does not read beyond the requested frame.
 * @throws Error on a length beyond the limits, a header that is not a JSON object, an end in the middle of a frame
 */
export async function* readFrames(
  source: AsyncIterable<Uint8Array>,
  options: FrameOptions = {},
): AsyncGenerator<Frame, void> {
  const cutter = frameCutter(options);
  for await (const chunk of source) yield* cutter.cut(chunk);
  cutter.end();
}

export interface FrameCutter {
  /** The frames that this chunk completes; take all of them before the next chunk. Throws as `readFrames` does. */
  cut(chunk: Uint8Array): Generator<Frame, void>;
  /** @throws Error in the middle of a frame */
  end(): void;
}

/** The parser behind `readFrames`, for callers that get chunks instead of a stream. */
export function frameCutter(options: FrameOptions = {}): FrameCutter {
  const limits = { ...frameLimits, ...options.limits };
  const lead = Buffer.alloc(LEAD);
  let part: Uint8Array = lead; // the part being filled: the lead, then the header, then the data
  let filled = 0;
  let header: Frame['header'] | undefined;

  function begin(next: Uint8Array): void {
    part = next;
    filled = 0;
  }

  /** Starts the part after a full one; returns the frame after its last part. */
  function turn(): Frame | undefined {
    if (header) return { header, data: part };
    if (part !== lead) header = parse(part);
    const dataBytes = lead.readUInt32LE(4);
    if (!header) {
      const headerBytes = lead.readUInt32LE(0);
      checkLengths(headerBytes, dataBytes, limits);
      begin(Buffer.allocUnsafe(headerBytes));
      return headerBytes === 0 ? turn() : undefined;
    }
    begin(dataBytes === 0 ? nothing : room(header, dataBytes, options));
    return dataBytes === 0 ? { header, data: nothing } : undefined;
  }

  return {
    *cut(chunk) {
      for (let at = 0; at < chunk.length;) {
        const length = Math.min(part.length - filled, chunk.length - at);
        part.set(at === 0 && length === chunk.length ? chunk : chunk.subarray(at, at + length), filled);
        at += length;
        filled += length;
        if (filled < part.length) return;
        const frame = turn();
        if (!frame) continue;
        header = undefined;
        begin(lead);
        yield frame;
      }
    },
    end() {
      if (part !== lead || filled > 0) throw new Error('the stream ended in the middle of a frame');
    },
  };
}

function room(header: Frame['header'], length: number, options: FrameOptions): Uint8Array {
  const given = options.place?.(header, length);
  if (given && given.length !== length)
    throw new RangeError(`a place of ${given.length} bytes for ${length} bytes of data`);
  return given ?? uninitialisedBytes(length);
}

function checkLengths(headerBytes: number, dataBytes: number, limits: FrameLimits): void {
  const sentence = (what: string, bytes: number, limit: number): string =>
    `a frame's ${what} of ${bytes} bytes is over the limit of ${limit}`;
  if (headerBytes > limits.headerBytes) throw new RangeError(sentence('header', headerBytes, limits.headerBytes));
  if (dataBytes > limits.dataBytes) throw new RangeError(sentence('data', dataBytes, limits.dataBytes));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array): Frame['header'] {
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch (cause) {
    throw new SyntaxError("a frame's header is not JSON", { cause });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Frame['header'];
  throw new TypeError("a frame's header is not a JSON object");
}
