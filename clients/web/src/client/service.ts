/** The connection to the service: its address, requests, and the meaning of answers. */
import type { Ask, Service } from './transport/ask.js';
import { isAllowed, type OnConsent } from './consent/consent.js';
import { cancelled, codeOfAnswer, PlatenError, refusalIn } from './errors.js';
import { passOf } from './consent/pass.js';

export type { Service } from './transport/ask.js';

export interface ClientOptions {
  /** The service's address. Absent: the service that served this module, or `https://localhost:53052`. */
  readonly baseUrl?: string;
  /** Replaces the global `fetch`: for tests, and for Node with another way to trust the certificate. */
  readonly fetch?: typeof fetch;
  /**
   * Called when the service first wants the person's yes: show them the link. The calls wait for the answer, and are made
   * again after a yes: the service refused them before anything happened, so no paper moves twice. Absent: they throw
   * `consent-required`.
   */
  readonly onConsent?: OnConsent | undefined;
  /** For programs, where the service takes only those that know the token of its data folder (`local.token`). */
  readonly token?: string;
}

const standard = 'https://localhost:53052';

/** Defined in the files that the service serves only: an application's own file may be called `/client.js`, too. */
declare const servedByPlaten: true | undefined;

/** The service that served this module, or the standard one for a copy in an application's own files. */
function origin(): string {
  if (typeof servedByPlaten === 'undefined') return standard;
  const { protocol, pathname, origin: own } = new URL(import.meta.url);
  return protocol === 'https:' && /^\/(?:client\.js|component\.js|component\/.*)$/.test(pathname) ? own : standard;
}

/** @param options `onConsent` is read when it is needed */
export function serviceAt(options: ClientOptions = {}): Service {
  const { baseUrl = origin(), fetch: given, token } = options;
  const base = baseUrl.replace(/\/+$/, '');

  async function send(
    path: string,
    { method = 'GET', body, headers, signal, keepalive = false }: Ask = {},
  ): Promise<Response> {
    const pass = token ?? passOf(base);
    if (signal?.aborted) throw cancelled(signal);
    try {
      return await (given ?? fetch)(`${base}${path}`, {
        method,
        credentials: 'include',
        cache: 'no-store',
        keepalive,
        headers: {
          ...headers,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(pass ? { authorization: `Bearer ${pass}` } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        ...(signal ? { signal } : {}),
      });
    } catch (cause) {
      if (signal?.aborted) throw cancelled(signal);
      throw new PlatenError(
        'no-answer',
        `The scanning service at ${base} did not answer. Is it installed and running?`,
        { cause },
      );
    }
  }

  async function ask(path: string, how: Ask = {}): Promise<Response> {
    const call = { ...how };
    for (;;) {
      const response = await send(path, how);
      const { onConsent } = options;
      if (!onConsent || how.consent === false || how.keepalive) return response;
      if (codeOfAnswer(response) !== 'consent-required') return response;
      if (!(await isAllowed(service, response, call, onConsent))) return response;
    }
  }

  const service: Service = {
    baseUrl: base,
    ask,
    async json<T>(path: string, how: Ask = {}): Promise<T> {
      const response = await ask(path, how);
      const answer = await jsonOf(response, how.signal);
      if (!response.ok) throw failureOf(response, answer);
      return answer as T;
    },
    async answers(signal) {
      try {
        await (given ?? fetch)(`${base}/`, { mode: 'no-cors', cache: 'no-store', signal });
        return true;
      } catch {
        return false;
      }
    },
  };
  return service;
}

export const scanPath = (id: string): string => `/api/scans/${encodeURIComponent(id)}`;

type Json = Readonly<Record<string, unknown>>;

/**
 * The answer's body.
 * @param read how to read it
 * @throws if it is incomplete
 */
export async function bodyOf<T>(
  response: Response,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    if (signal?.aborted) throw cancelled(signal);
    if (cause instanceof PlatenError) throw cause;
    throw new PlatenError('no-answer', "The scanning service's answer was incomplete.", {
      cause,
      httpStatus: response.status,
    });
  }
}

export const textOf = (response: Response, signal?: AbortSignal): Promise<string> =>
  bodyOf(response, signal, () => response.text());

export const jsonOf = async (
  response: Response,
  signal?: AbortSignal,
  read = (): Promise<string> => response.text(),
): Promise<Json> => jsonIn(response, await bodyOf(response, signal, read));

/** Parses the text of an answer. @throws if it is not a JSON object */
export function jsonIn(response: Response, text: string): Json {
  try {
    const answer = JSON.parse(text) as unknown;
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as Json;
  } catch {
    // Handled below, like JSON that is not an object.
  }
  if (codeOfAnswer(response) === 'unknown-path') throw outdated(response);
  throw new PlatenError('unexpected-answer', `The answer from ${response.url} is not the scanning service's.`, {
    httpStatus: response.status,
  });
}

/** An answer with the interface's error body. */
export function failureOf(response: Response, answer: Json): PlatenError {
  const { status } = response;
  const { error } = answer;
  const code = codeOfAnswer(response, answer);
  if (code === 'unknown-path') return outdated(response);
  const message = typeof error === 'string' ? error : `The scanning service answered with ${status}.`;
  return new PlatenError(code, message, { httpStatus: status, ...refusalIn(response, answer) });
}

function outdated({ status, url }: Response): PlatenError {
  return new PlatenError(
    'unknown-path',
    `The scanning service does not know ${new URL(url).pathname}: it is too old. Update it.`,
    { httpStatus: status },
  );
}
