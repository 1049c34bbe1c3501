/** The process that scans into a resource: reads the scan's events, and fetches each page as it is announced. */
import { createHash } from 'node:crypto';
import { Agent } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { ask, decode, saveImages, scanBody, type ScanWishes } from './ask.js';

/** Pages that are fetched at the same time. */
const PARALLEL = 2;

export interface FetchTask extends ScanWishes {
  readonly port: number;
  readonly pages: number;
  /** Compares each page with its digest and decodes it, after the clock has stopped. */
  readonly check: boolean;
  /** Pages of a lossless format have the pixels of these files, in order. */
  readonly files?: readonly string[];
  /** A folder for the pages' files, named by their numbers, after the clock has stopped; each has its digest. */
  readonly save?: string;
}

export interface FetchTaking {
  /** From the request to the last byte of the last page, the connections and their handshakes included. */
  readonly ms: number;
  /** Of the processor, in all threads of this process. */
  readonly processorMs: number;
  /** Of each page as a file, in order. */
  readonly sizes: readonly number[];
  /** When each page was here whole, in order: nanoseconds of the system's monotonic clock, as text. */
  readonly at: readonly string[];
  /** What was read and done on each page, in order. */
  readonly found: readonly { readonly codes: readonly string[]; readonly text: string; readonly deskewed: boolean }[];
}

interface AnnouncedPage {
  readonly number: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly url: string;
  readonly barcodes: readonly { readonly text: string }[];
  readonly ocrText: string;
  /** Of the adjustments that were requested. */
  readonly report: readonly { readonly parameter: string; readonly result: string }[];
}

interface Event {
  readonly event: string;
  readonly data: string;
}

process.on('message', (task: FetchTask) => {
  fetchScan(task).then(
    taking => process.send?.({ taking }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function fetchScan(task: FetchTask): Promise<FetchTaking> {
  const { port, pages, check, save } = task;
  const keep = check || save !== undefined;
  // The scan's own connection, which its events use next, and those for pages.
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL + 1 });
  try {
    const before = process.cpuUsage();
    const began = performance.now();
    const made = await ask({ port, method: 'POST', path: '/api/scans', body: scanBody(task), agent });
    const scan = (await json(made, 201)) as { id: string };
    const path = `/api/scans/${scan.id}`;
    const events = await ask({ port, method: 'GET', path: `${path}/events`, agent });
    if (events.statusCode !== 200) throw new Error(`${path}/events answered ${events.statusCode}.`);
    const announced: AnnouncedPage[] = [];
    const bodies: Buffer[][] = [];
    const at: string[] = [];
    const queue: AnnouncedPage[] = [];
    const fetching: Promise<void>[] = [];
    let fetchers = 0;
    let endedAt = began;
    const fetchQueued = async (): Promise<void> => {
      fetchers++;
      for (let page = queue.shift(); page; page = queue.shift()) {
        bodies[page.number - 1] = await bytesOf(await ask({ port, method: 'GET', path: page.url, agent }), page, keep);
        at[page.number - 1] = String(process.hrtime.bigint());
        endedAt = performance.now();
      }
      fetchers--;
    };
    for await (const { event, data } of readEvents(events)) {
      if (event === 'state') {
        const { state, error } = JSON.parse(data) as { state: string; error?: string };
        if (state !== 'completed') throw new Error(`The scan is ${state}: ${error}`);
      }
      if (event !== 'page') continue;
      const page = JSON.parse(data) as AnnouncedPage;
      announced.push(page);
      queue.push(page);
      if (fetchers < PARALLEL) fetching.push(fetchQueued());
    }
    await Promise.all(fetching);
    const { user, system } = process.cpuUsage(before);
    if (announced.length !== pages || announced.some(({ number }, index) => number !== index + 1))
      throw new Error(`${announced.length} of ${pages} pages were announced.`);
    if (keep) {
      const files = bodies.map(parts => Buffer.concat(parts));
      for (const page of announced) assertDigest(page, files[page.number - 1]);
      if (check) for (const [at, bytes] of files.entries()) await decode(bytes, task.imageFormat, task.files?.[at]);
      if (save !== undefined) await saveImages(save, files);
    }
    await json(await ask({ port, method: 'DELETE', path, agent }), 200);
    return {
      ms: endedAt - began,
      processorMs: (user + system) / 1000,
      sizes: announced.map(each => each.bytes),
      at,
      found: announced.map(({ barcodes, ocrText, report }) => ({
        codes: barcodes.map(({ text }) => text),
        text: ocrText,
        deskewed: report.some(({ parameter, result }) => parameter === 'autoDeskew' && result === 'emulated'),
      })),
    };
  } finally {
    agent.destroy();
  }
}

/** @throws unless the page is whole */
async function bytesOf(answer: IncomingMessage, { number, bytes }: AnnouncedPage, keep: boolean): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (keep) parts.push(chunk);
  });
  await over(answer);
  if (answer.statusCode !== 200 || length !== bytes)
    throw new Error(`Page ${number} came with ${answer.statusCode} and ${length} of ${bytes} bytes.`);
  return parts;
}

function assertDigest({ number, sha256 }: AnnouncedPage, bytes: Buffer = Buffer.alloc(0)): void {
  if (createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Error(`Page ${number} has another digest than the one that was announced.`);
}

async function json(answer: IncomingMessage, status: number): Promise<unknown> {
  const parts: Buffer[] = [];
  answer.on('data', (chunk: Buffer) => parts.push(chunk));
  await over(answer);
  const text = Buffer.concat(parts).toString();
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}

function over(answer: IncomingMessage): Promise<unknown> {
  return new Promise((resolve, reject) => answer.on('end', resolve).on('error', reject).on('aborted', reject));
}

/** Of an event stream whose data are one line each. */
async function* readEvents(answer: IncomingMessage): AsyncGenerator<Event, void> {
  let rest = '';
  for await (const chunk of answer.setEncoding('utf8')) {
    const blocks = `${rest}${chunk as string}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const field = (name: string): string => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1] ?? '';
      yield { event: field('event'), data: field('data') };
    }
  }
}
