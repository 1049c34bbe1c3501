/** Sends a stored page's bytes: whole, a range of them, or their head only. */
import type { StoredPage } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesTag, rangeOf } from '../http/conditional.js';
import { HttpError, successes } from '../http/errors.js';
import { begun } from './begun.js';
import type { Clients } from './clients.js';
import { send } from './send.js';

/** RFC 9530. @param sha256 in hexadecimal */
const digestOf = (sha256: string): string => `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`;

/**
 * Counts the page as delivered when the client has taken all of it.
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
  const tag = `"${sha256}"`;
  void reply.headers({ etag: tag, 'accept-ranges': 'bytes', 'cache-control': 'no-store' });
  await stored.check();
  if (matchesTag(headers['if-none-match'], tag)) return reply.code(successes.notModified).send();
  const digest = digestOf(sha256);
  void reply.type(page.mimeType).headers({ 'content-digest': digest, 'repr-digest': digest });
  // RFC 9110, 14.2: a range counts for GET only.
  if (method === 'HEAD') {
    void reply.header('content-length', size);
    void send(reply, [], clients);
    return reply;
  }
  const ifRange = headers['if-range'];
  const range = ifRange === undefined || ifRange === tag ? rangeOf(headers.range, size) : undefined;
  if (range === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${size}`);
    throw new HttpError('range-not-satisfiable', `The range begins after the last of the page's ${size} bytes.`);
  }
  const { start, end } = range ?? { start: 0, end: size };
  const bytes = await begun(stored, start, end);
  if (range) {
    // The digest of the whole is not that of this content.
    reply.removeHeader('content-digest');
    void reply.code(successes.partial).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  }
  void reply.header('content-length', bytes.size);
  void send(reply, [{ plain: bytes }], clients).then(async taken => {
    await bytes.close();
    if (taken && end - start === size) stored.deliver();
  });
  return reply;
}
