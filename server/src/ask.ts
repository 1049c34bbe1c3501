/** One request to the service's port; the caller judges the answer and the certificate. */
import { request } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { systemCode } from '../config/error.js';

export interface Reply {
  readonly status: number;
  readonly text: string;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** SHA-256 of the presented certificate, upper-case hexadecimal without colons. */
  readonly thumbprint: string;
}

export interface Question {
  readonly port: number;
  /** The service's name in `Host`. */
  readonly host: string;
  readonly path: string;
  /** Sent as JSON with POST; absent: GET. */
  readonly body?: object;
  readonly timeoutMs?: number;
}

/** `refused`: nothing listens. `silent`: no answer came. `foreign`: the answer is not HTTPS. */
export type Trouble = 'refused' | 'silent' | 'foreign';

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
export function ask({ port, host, path, body, timeoutMs = ANSWER_MS }: Question): Promise<Reply> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    host: `${host}:${port}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) }),
  };
  return new Promise((resolve, reject) => {
    let thumbprint = '';
    // The certificate is self-signed; its thumbprint tells whose it is.
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
      () => call.destroy(new NoReply('silent', `no answer within ${timeoutMs / 1000} s`)),
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
