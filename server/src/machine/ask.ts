/** Requests to the service's port, for commands: the answer as a stream, or whole. */
import { request as plainRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemCode } from './configError.js';

export interface Call {
  readonly port: number;
  /** Instead of the port: a socket of this account, without TLS. */
  readonly socketPath?: string;
  /** The service's name in `Host`. */
  readonly host: string;
  readonly path: string;
  /** Absent: POST with a body, else GET. */
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON; text is JSON already. */
  readonly body?: object | string;
  /** PEM, of one or more: nothing is sent to a server with another certificate. Absent: the caller judges the thumbprint. */
  readonly certificate?: string;
  /** Milliseconds without a byte after which the call ends. */
  readonly idleMs?: number;
  /** Ends the call with a `NoReply`, also while its answer is read. */
  readonly signal?: AbortSignal;
}

export interface Question extends Omit<Call, 'signal'> {
  readonly timeoutMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** SHA-256 of the presented certificate, upper-case hexadecimal without colons. */
  readonly thumbprint: string;
}

/**
 * `refused`: nothing listens. `silent`: no answer came. `foreign`: the answer is not HTTPS, or it broke off.
 * `untrusted`: it has another certificate, or one that is not valid now.
 */
export type Trouble = 'refused' | 'silent' | 'foreign' | 'untrusted';

export class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, options?: ErrorOptions) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** Longer than a busy service needs for an answer from memory. */
const ANSWER_MS = 5000;
/** The limit of an answer, because another program on the port could send without end. */
const LONGEST = 512 * 1024 * 1024;

/** @throws {NoReply} */
export async function ask({ timeoutMs = ANSWER_MS, ...question }: Question): Promise<Reply> {
  const late = new AbortController();
  const limit = setTimeout(
    () => late.abort(new NoReply('silent', `no answer within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  try {
    const response = await call({ ...question, signal: late.signal });
    const thumbprint = thumbprintOf(response);
    const text = (await bytesOf(response, LONGEST)).toString('utf8');
    return { status: response.statusCode ?? 0, headers: response.headers, text, json: jsonOf(text), thumbprint };
  } catch (error) {
    // An answer that is cut short says only that it was.
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    clearTimeout(limit);
  }
}

/** Resolves with the head of the answer. @throws {NoReply} */
export function call(asked: Call): Promise<IncomingMessage> {
  const { port, socketPath, host, path, method, headers, body, certificate, idleMs, signal } = asked;
  const sent = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
  // The certificate is its own authority. Its names are those of the loopback interface, which is where we call.
  const trust =
    certificate === undefined
      ? { rejectUnauthorized: false }
      : { ca: certificate, servername: 'localhost', rejectUnauthorized: true };
  return new Promise((resolve, reject) => {
    const asking = (socketPath === undefined ? request : plainRequest)(
      {
        ...(socketPath === undefined ? { ...trust, host: '127.0.0.1', port } : { socketPath }),
        path,
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: {
          host: `${host}:${port}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
          ...headers,
        },
        agent: false,
      },
      resolve,
    );
    asking.on('error', error => {
      const socket = asking.socket as TLSSocket | null;
      const untrusted = certificate !== undefined && Boolean(socket?.authorizationError);
      reject(untrusted ? new NoReply('untrusted', error.message, { cause: error }) : asNoReply(error));
    });
    if (idleMs !== undefined)
      asking.setTimeout(idleMs, () => asking.destroy(new NoReply('silent', `nothing came for ${idleMs / 1000} s`)));
    if (signal) {
      const end = (): void => void asking.destroy(signal.reason as Error);
      if (signal.aborted) return end();
      signal.addEventListener('abort', end, { once: true });
      asking.once('close', () => signal.removeEventListener('abort', end));
    }
    asking.end(sent);
  });
}

/** The body of an answer. @param most bytes that are accepted. @throws {NoReply} if it breaks off or is longer */
export async function bytesOf(response: IncomingMessage, most: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part);
      length += part.length;
      if (length > most) throw new NoReply('foreign', 'its answer does not end');
    }
  } catch (error) {
    throw asNoReply(error as Error);
  }
  return Buffer.concat(parts, length);
}

export function asNoReply(error: Error): Error {
  if (error instanceof NoReply) return error;
  const code = systemCode(error);
  // A socket that is gone is not there at all.
  const isRefused = code === 'ECONNREFUSED' || code === 'ENOENT';
  return new NoReply(isRefused ? 'refused' : 'foreign', code ?? error.message, { cause: error });
}

function thumbprintOf({ socket }: IncomingMessage): string {
  return (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256.replaceAll(':', '') ?? '';
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
