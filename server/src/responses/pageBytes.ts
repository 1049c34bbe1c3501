/** Sends a stored page: its bytes, a range of them, or a small picture. A HEAD request gets the head only. */
import { slices, type StoredPage } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, rangeOf } from '../http/conditional.js';
import { HttpError, successes } from '../http/errors.js';
import { begun } from './begun.js';
import type { Clients } from './clients.js';
import { send } from './send.js';
import type { Thumbnails } from './thumbnails.js';

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
    if (taken && bytes.size === size && headers['sec-fetch-dest'] !== 'image') stored.deliver();
  });
  return reply;
}

/**
 * Sends a JPEG of the page. Its HEAD request gets no length: the picture would have to be made for it.
 * @param width in pixels
 * @throws like `Thumbnails.make`
 */
export async function sendThumbnail(
  stored: StoredPage,
  width: number,
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  clients: Clients,
  thumbnails: Thumbnails,
): Promise<FastifyReply> {
  const known = { ...always, etag: `"${stored.sha256}-${width}"` };
  if (matchesTag(headers['if-none-match'], known.etag)) return reply.code(successes.notModified).headers(known).send();
  const head = { ...known, 'content-type': 'image/jpeg' };
  if (method === 'HEAD') return sendHead(reply.headers(head), clients);

  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  const made = await thumbnails.make(stored, width, controller.signal).catch((error: unknown) => {
    if (!controller.signal.aborted) throw error;
  });
  // Its client is gone.
  if (!made) return reply.hijack();
  const plain = { size: made.byteLength, read: (sliceBytes: number) => slices(made, sliceBytes) };
  void send(reply.headers({ ...head, 'content-length': made.byteLength }), [{ plain }], clients);
  return reply;
}

/** RFC 9110, 14.2: a range counts for GET only. */
function sendHead(reply: FastifyReply, clients: Clients): FastifyReply {
  void send(reply, [], clients);
  return reply;
}
