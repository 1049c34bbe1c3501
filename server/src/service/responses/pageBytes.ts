/** Sends a stored page: its bytes, a range of them, or a picture of it. A HEAD request gets the head only. */
import { slices, type StoredPage } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, rangeOf } from '../http/answers/conditional.js';
import { HttpError, successes } from '../http/errors.js';
import { begun } from './begun.js';
import type { Clients } from './clients.js';
import { goneOf } from './gone.js';
import { send } from './send.js';

/** A device may have made the bytes: a browser must not take them for anything but the picture that they are called. */
const always = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/**
 * Counts the page as delivered when the client has taken all of it, unless a browser only shows it as a picture
 * (`Sec-Fetch-Dest`, https://www.w3.org/TR/fetch-metadata/#sec-fetch-dest-header).
 * @throws `storage-failed` if the page was damaged, HttpError `range-not-satisfiable`
 */
export async function sendPage(
  stored: StoredPage,
  request: FastifyRequest,
  reply: FastifyReply,
  clients: Clients,
): Promise<FastifyReply> {
  const { method, headers } = request;
  const { size, sha256, page } = stored;
  const etag = `"${sha256}"`;
  // RFC 9530: one is of the content, the other of the whole page.
  const digest = `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;
  const known = { ...always, etag, 'accept-ranges': 'bytes', 'repr-digest': digest };
  await stored.check();
  if (matchesTag(headers['if-none-match'], etag)) return reply.code(successes.notModified).headers(known).send();

  const head = { ...known, 'content-type': page.mimeType };
  if (method === 'HEAD')
    return sendHead(reply.headers({ ...head, 'content-digest': digest, 'content-length': size }), clients);

  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === etag ? rangeOf(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${size}`);
    throw new HttpError('range-not-satisfiable', `The range begins after the last of the page's ${size} bytes.`);
  }
  const { start, end } = range ?? { start: 0, end: size };
  const bytes = await begun(stored, start, end);
  if (range) void reply.code(successes.partial).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  else void reply.header('content-digest', digest);
  void send(reply.headers({ ...head, 'content-length': bytes.size }), [{ plain: bytes }], clients).then(async taken => {
    // Nothing depends on it: the answer is over.
    await bytes.close().catch(() => undefined);
    if (taken && bytes.size === size && !isShown(headers)) stored.deliver();
  });
  return reply;
}

/** A picture that is made of a page when it is asked for. */
export interface Picture {
  /** What tells it from the page, and from other pictures of it: `-200`. */
  readonly tag: string;
  readonly mimeType: string;
  /** @param signal is aborted when the client is gone */
  make(signal: AbortSignal): Promise<Uint8Array>;
  /** Called when the client has taken all of it, unless a browser only shows it. */
  onTaken?(): void;
}

/**
 * Sends a picture of the page. Its HEAD request gets no length: the picture would have to be made for it.
 * @throws what making it throws
 */
export async function sendPicture(
  { sha256 }: StoredPage,
  { tag, mimeType, make, onTaken }: Picture,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  clients: Clients,
): Promise<FastifyReply> {
  const known = { ...always, etag: `"${sha256}${tag}"` };
  if (matchesTag(headers['if-none-match'], known.etag)) return reply.code(successes.notModified).headers(known).send();
  const head = { ...known, 'content-type': mimeType };
  if (method === 'HEAD') return sendHead(reply.headers(head), clients);

  const gone = goneOf(reply);
  const made = await make(gone).catch((error: unknown) => {
    if (!gone.aborted) throw error;
  });
  // Its client is gone.
  if (!made) return reply.hijack();
  const plain = { size: made.byteLength, read: (sliceBytes: number) => slices(made, sliceBytes) };
  void send(reply.headers({ ...head, 'content-length': made.byteLength }), [{ plain }], clients).then(taken => {
    if (taken && !isShown(headers)) onTaken?.();
  });
  return reply;
}

/** A browser shows it as a picture, and its page cannot read it. */
const isShown = (headers: FastifyRequest['headers']): boolean => headers['sec-fetch-dest'] === 'image';

/** RFC 9110, 14.2: a range counts for GET only. */
function sendHead(reply: FastifyReply, clients: Clients): FastifyReply {
  void send(reply, [], clients);
  return reply;
}
