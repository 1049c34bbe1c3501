/** Clients of the soak: every answer is counted by its code, checked against its schema, and noted if it was not expected. */
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { request, type Answer, type RequestOptions } from '../topology/client.js';
import { openEvents, type EventStream, type StreamOptions } from '../topology/events.js';
import { checkAnswer } from '../topology/shapes.js';

export interface Caller {
  readonly port: number;
  /** @param wanted the statuses that this answer may have */
  call(method: string, path: string, wanted: readonly number[], options?: RequestOptions): Promise<Answer>;
  /** A client that leaves after so many milliseconds, unless it has its answer by then: undefined. */
  leave(ms: number, method: string, path: string, options?: RequestOptions): Promise<Answer | undefined>;
  events(wanted: readonly number[], options: StreamOptions): Promise<EventStream>;
  /** Notes what was not as it should be. */
  expect(holds: boolean, what: () => string): void;
  /** Checks a page: its length, its digest, and that it is an image of its format and size. */
  page(bytes: Buffer, facts: PageFacts): Promise<void>;
  readonly counts: Counts;
}

export interface PageFacts {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
  readonly sha256?: string;
}

export interface Counts {
  /** By method, kind of path and status: `GET /api/scans/* 200`. */
  readonly answers: Map<string, number>;
  pages: number;
  bytes: number;
  /** Sentences: what was not as it should be. */
  readonly wrong: string[];
}

const MOST_WRONG = 50;

export function createCaller(port: number): Caller {
  const counts: Counts = { answers: new Map(), pages: 0, bytes: 0, wrong: [] };
  const note = (what: string): void => void (counts.wrong.length < MOST_WRONG && counts.wrong.push(what));
  function count(method: string, path: string, status: number | 'left'): void {
    const [pathname = ''] = path.split('?', 1);
    const kind = pathname
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, '*')
      .replace(/\/pages\/\d+/, '/pages/*')
      .replace(/\/scanners\/[^/]+/, '/scanners/*');
    const key = `${method} ${kind} ${status}`;
    counts.answers.set(key, (counts.answers.get(key) ?? 0) + 1);
  }
  function check(method: string, path: string, { status, json }: Answer): void {
    try {
      if (path.startsWith('/api/')) checkAnswer(method, path, status, json);
    } catch (error) {
      note((error as Error).message);
    }
  }
  return {
    port,
    counts,
    async call(method, path, wanted, options) {
      const answer = await request(port, method, path, options);
      count(method, path, answer.status);
      if (!wanted.includes(answer.status))
        note(`${method} ${path}: ${answer.status}, not ${wanted.join(' or ')}: ${answer.text.slice(0, 300)}`);
      check(method, path, answer);
      return answer;
    },
    async leave(ms, method, path, options) {
      const away = new AbortController();
      const timer = setTimeout(() => away.abort(), ms);
      try {
        const answer = await request(port, method, path, { ...options, signal: away.signal });
        count(method, path, answer.status);
        return answer;
      } catch (error) {
        if (!away.signal.aborted) throw error;
        count(method, path, 'left');
        return undefined;
      } finally {
        clearTimeout(timer);
      }
    },
    async events(wanted, options) {
      const stream = await openEvents(port, options);
      const { path = '/api/twain/autoscan/events' } = options;
      count('GET', path, stream.status);
      if (!wanted.includes(stream.status)) note(`GET ${path}: ${stream.status}, not ${wanted.join(' or ')}`);
      return stream;
    },
    expect(holds, what) {
      if (!holds) note(what());
    },
    async page(bytes, facts) {
      counts.pages++;
      counts.bytes += bytes.length;
      const why = await whyNotAPage(bytes, facts);
      if (why !== undefined) note(`a page is not what was announced: ${why}`);
    },
  };
}

async function whyNotAPage(bytes: Buffer, { format, width, height, ...its }: PageFacts): Promise<string | undefined> {
  if (bytes.length !== its.bytes) return `${bytes.length} bytes, not ${its.bytes}`;
  if (its.sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== its.sha256)
    return 'another digest';
  try {
    const seen = format.toLowerCase() === 'bmp' ? bmp(bytes) : await decoded(bytes);
    const [is, wanted] = [seen, { format: format.toLowerCase(), width, height }].map(each => JSON.stringify(each));
    return is === wanted ? undefined : `${is}, not ${wanted}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** All of its pixels. */
async function decoded(bytes: Buffer): Promise<object> {
  const image = sharp(bytes, { failOn: 'warning' });
  const { format } = await image.metadata();
  const { info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { format, width: info.width, height: info.height };
}

/** Whose pixels sharp does not read: the header, and that the rows are there. */
function bmp(bytes: Buffer): object {
  if (bytes.subarray(0, 2).toString() !== 'BM') throw new Error('no BMP');
  const [start, width, height] = [bytes.readUInt32LE(10), bytes.readInt32LE(18), Math.abs(bytes.readInt32LE(22))];
  const row = Math.ceil((width * bytes.readUInt16LE(28)) / 32) * 4;
  if (bytes.length < start + row * height) throw new Error('a BMP that is cut off');
  return { format: 'bmp', width, height };
}
