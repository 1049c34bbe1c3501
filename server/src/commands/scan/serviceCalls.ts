/** Calls to the running service: its errors as the errors that a scan in this process throws. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { codeOf, InvalidValue, ScanError, type Clock } from '@platen/core';
import { readEvents, type EventReader } from '@platen/client/events';
import { ask, asNoReply, bytesOf, call, jsonOf, NoReply, type Question } from '../../machine/ask.js';
import type { ServiceAddress } from '../../machine/dataFolder/lockHolder.js';
import { errorHeader } from '../../service/http/answers/errorHeader.js';
import { isFailure } from '../../service/http/errors.js';

/** Within this time, a service that was restarted has the data folder again. */
const PATIENCE_MS = 10_000;
const POLL_MS = 100;
/** A stream of events has a comment every 15 s. */
const IDLE_MS = 45_000;
/** A document waits for pages, and a scanner may be refilled. The end of the service is known from the events. */
const DOCUMENT_IDLE_MS = 10 * 60_000;
/** The limit of an error's or an event stream's first answer. */
const LONGEST_ERROR = 1024 * 1024;

export interface ServiceCallsParts {
  readonly clock: Clock;
  /** PEM, of one or more. */
  readonly certificate: string;
  readonly address: ServiceAddress;
  /** The secret of local programs, if there is one. */
  readonly token?: string | undefined;
  /** Where the service is now, asked after a call got no answer; undefined if none has the data folder. */
  locate(): Promise<ServiceAddress | undefined>;
}

export type Asked = Pick<Question, 'method' | 'headers' | 'body' | 'timeoutMs'>;

export interface ServiceCalls {
  readonly address: ServiceAddress;
  /** @returns the answer's JSON. @throws `NoReply`, and the service's refusal */
  json<T>(path: string, asked?: Asked): Promise<T>;
  /** @param most bytes of the answer. @throws like `json` */
  bytes(path: string, most: number): Promise<Buffer>;
  /** The answer's bytes as they come. @throws like `json`, and `NoReply` if the answer breaks off */
  stream(path: string): AsyncGenerator<Uint8Array, void>;
  /** @throws like `json` */
  events(path: string, lastId?: string): Promise<EventReader>;
  /**
   * Does this again while it gets no answer, for some seconds: the service may be starting again.
   * @param work calls `onProgress` when it got on: the seconds count from the next failure
   * @throws the last `NoReply`, and what else `work` throws
   */
  patiently<T>(work: (onProgress: () => void) => Promise<T>): Promise<T>;
}

export function createServiceCalls(parts: ServiceCallsParts): ServiceCalls {
  const { clock, certificate, address, token, locate } = parts;
  const proof = token === undefined ? {} : { authorization: `Bearer ${token}` };
  let at = address;

  async function open(
    path: string,
    { headers = {}, idleMs = IDLE_MS }: { headers?: OutgoingHttpHeaders; idleMs?: number } = {},
  ): Promise<IncomingMessage> {
    const response = await call({ ...at, path, headers: { ...proof, ...headers }, certificate, idleMs });
    const { statusCode = 0 } = response;
    if (isFailure(statusCode)) throw failureOf(response, jsonOf(String(await bytesOf(response, LONGEST_ERROR))));
    return response;
  }

  return {
    get address() {
      return at;
    },

    async json<T>(path: string, asked: Asked = {}) {
      const reply = await ask({ ...at, path, certificate, ...asked, headers: { ...proof, ...asked.headers } });
      if (isFailure(reply.status)) throw failureOf(reply, reply.json);
      return reply.json as T;
    },

    async bytes(path, most) {
      return bytesOf(await open(path), most);
    },

    async *stream(path) {
      const response = await open(path, { idleMs: DOCUMENT_IDLE_MS });
      try {
        yield* response as AsyncIterable<Uint8Array>;
      } catch (error) {
        throw asNoReply(error as Error);
      }
    },

    async events(path, lastId) {
      const headers = { accept: 'text/event-stream', ...(lastId === undefined ? {} : { 'last-event-id': lastId }) };
      const response = await open(path, { headers });
      return readEvents(Readable.toWeb(response) as ReadableStream<Uint8Array>);
    },

    async patiently(work) {
      let failingSince: number | undefined;
      for (;;) {
        try {
          return await work(() => (failingSince = undefined));
        } catch (error) {
          if (!(error instanceof NoReply) || error.trouble === 'untrusted') throw error;
          failingSince ??= clock.monotonic();
          if (clock.monotonic() - failingSince >= PATIENCE_MS) throw error;
        }
        await new Promise<void>(resolve => clock.after(POLL_MS, resolve));
        const found = await locate();
        if (!found) continue;
        // It starts: however long that takes, it is there.
        if (found.port === 0) failingSince = undefined;
        else at = found;
      }
    },
  };
}

/** The next event. @throws {NoReply} if the stream ends or is quiet for too long */
export async function nextEvent(reader: EventReader): Promise<{ id: string; event: string; data: unknown }> {
  const event = await reader.next(IDLE_MS).catch((error: unknown) => {
    throw asNoReply(error as Error);
  });
  if (event === 'quiet') throw new NoReply('silent', `nothing came for ${IDLE_MS / 1000} s`);
  if (event === 'end') throw new NoReply('foreign', 'its events broke off');
  return { ...event, data: jsonOf(event.data) };
}

/** The error that the service threw, from the answer that it became. */
function failureOf({ headers }: Pick<IncomingMessage, 'headers'>, body: unknown): Error {
  const { error = 'The service refused, and gave no reason.' } = (body ?? {}) as { error?: string };
  const header = headers[errorHeader.toLowerCase()];
  const facts = (typeof header === 'string' ? jsonOf(header) : undefined) ?? {};
  const { code, field, allowed } = facts as { code?: unknown; field?: string; allowed?: readonly unknown[] };
  const known = codeOf({ code });
  if (known === undefined) return Object.assign(new Error(error), { code });
  if (known !== 'invalid-value' || field === undefined) return new ScanError(known, error);
  return new InvalidValue(field, withoutStart(`${field} takes `, error), allowed);
}

/** The sentence after the words that it starts with, which its reader replaces. */
export const withoutStart = (start: string, sentence: string): string =>
  sentence.startsWith(start) ? sentence.slice(start.length) : sentence;
