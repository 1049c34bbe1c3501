/** `fetch` for the client module in a command: to a service of this computer that is known by its certificate or socket. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, NoReply, type Call, type Trouble } from './ask.js';

/** Where a service answers. */
export type Place = Pick<Call, 'host' | 'port' | 'socketPath' | 'certificate'>;

/** The longest that an answer takes to begin. */
const ANSWER_MS = 10_000;
/** A scanner's driver decides how long opening it takes, and a document waits for pages. */
const SLOW_MS = 10 * 60_000;
const POLL_MS = 100;

/**
 * @param first where it is
 * @param locate where it is now, asked when it does not answer: port 0 while it starts, undefined if it is nowhere
 * @returns rejects with {NoReply}, and at the signal
 */
export function fetchAt(first: Place, locate: () => Promise<Place | undefined>): typeof fetch {
  let place = first;

  async function send(asked: Omit<Call, keyof Place>): Promise<IncomingMessage> {
    for (;;) {
      try {
        return await call({ ...asked, ...place });
      } catch (error) {
        asked.signal?.throwIfAborted();
        if (!(error instanceof NoReply)) throw error;
        const found = await locate();
        const hasMoved = found !== undefined && found.port !== place.port;
        // It starts: however long that takes, it is there.
        if (found?.port === 0) await sleep(POLL_MS, undefined, { signal: asked.signal });
        else if (hasMoved) place = found;
        // What was sent may have been heard: the caller decides whether to send it again.
        if (!hasMoved || !unheard.has(error.trouble)) throw error;
      }
    }
  }

  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const { href, pathname, search } = new URL(input instanceof Request ? input.url : input);
    const isSlow = method === 'POST' || pathname.endsWith('/document');
    const late = new AbortController();
    const limit = setTimeout(() => late.abort(new NoReply('silent', 'no answer')), isSlow ? SLOW_MS : ANSWER_MS);
    try {
      const response = await send({
        method,
        path: pathname + search,
        headers: Object.fromEntries(new Headers(headers)),
        idleMs: SLOW_MS,
        ...(typeof body === 'string' ? { body } : {}),
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      return answerOf(response, href);
    } finally {
      clearTimeout(limit);
    }
  };
}

/** Nothing was sent. */
const unheard: ReadonlySet<Trouble> = new Set(['refused', 'untrusted']);

function answerOf(incoming: IncomingMessage, url: string): Response {
  const { statusCode: status = 0, headers } = incoming;
  const pairs = Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map(each => [name, each]));
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  if (!hasBody) incoming.resume();
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
  const response = new Response(body, { status, headers: pairs as [string, string][] });
  return Object.defineProperty(response, 'url', { value: url });
}
