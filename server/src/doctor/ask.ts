/** One request to whoever has the service's port: what comes is judged by the caller, the certificate too. */
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemCode } from '../config/error.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly json: unknown;
  /** SHA-256 of the certificate that was shown, upper-case hexadecimal without colons. */
  readonly thumbprint: string;
}

export interface Question {
  readonly port: number;
  /** What the service is called in `Host`. */
  readonly host: string;
  readonly path: string;
  /** Sent as JSON, with POST. */
  readonly body?: object;
  readonly timeoutMs?: number;
}

/** `refused`: nobody listens. `silent`: somebody does, and says nothing. `foreign`: what is said is no HTTPS. */
export type Trouble = 'refused' | 'silent' | 'foreign';

export class NoReply extends Error {
  override readonly name = 'NoReply';
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, options?: ErrorOptions) {
    super(message, options);
    this.trouble = trouble;
  }
}

/** Longer than a service that is busy needs for an answer that it has at hand. */
const ANSWER_MS = 5000;
/** Another program on the port could answer without end. */
const LONGEST = 512 * 1024 * 1024;

/** @throws {NoReply} */
export function ask({ port, host, path, body, timeoutMs = ANSWER_MS }: Question): Promise<Reply> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    host: `${host}:${port}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  };
  return new Promise((resolve, reject) => {
    let thumbprint = '';
    // Self-signed, and trusted by nobody before it is installed: whose it is, is seen by its thumbprint.
    const call = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers,
        rejectUnauthorized: false,
        agent: false,
      },
      response => {
        const parts: Buffer[] = [];
        let length = 0;
        response.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length > LONGEST) call.destroy(new NoReply('foreign', 'its answer does not end'));
        });
        response.on('error', error => reject(asNoReply(error)));
        response.on('end', () => {
          clearTimeout(limit);
          const text = Buffer.concat(parts).toString('utf8');
          resolve({ status: response.statusCode ?? 0, text, json: jsonOf(text), thumbprint });
        });
      },
    );
    const limit = setTimeout(
      () => call.destroy(new NoReply('silent', `no answer within ${timeoutMs / 1000} seconds`)),
      timeoutMs,
    );
    call.on('socket', socket => {
      socket.once(
        'secureConnect',
        () => (thumbprint = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256.replaceAll(':', '') ?? ''),
      );
    });
    call.on('error', error => {
      clearTimeout(limit);
      reject(asNoReply(error));
    });
    call.end(sent);
  });
}

function asNoReply(error: Error): NoReply {
  if (error instanceof NoReply) return error;
  const code = systemCode(error);
  return new NoReply(code === 'ECONNREFUSED' ? 'refused' : 'foreign', code ?? error.message, { cause: error });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
