/** A small HTTPS client that accepts a self-signed certificate, like `curl -k`. */
import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { createSecureContext, connect as tlsConnect, type TLSSocket } from 'node:tls';

export interface RequestOptions {
  readonly headers?: OutgoingHttpHeaders;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent unchanged, without a content type. */
  readonly rawBody?: string | Uint8Array;
  /** The body does not fit its schema on purpose. */
  readonly asIs?: boolean;
  /** Ends the request. */
  readonly signal?: AbortSignal;
  /** 127.0.0.1 when absent. */
  readonly address?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined if the answer is not JSON. */
  readonly json: unknown;
}

/**
 * A connection is kept for the next request: the handshake costs five times what a short request does. Not for the calls
 * that answer with pages, which the service lets go when the connection closes, or five seconds later, and not with a raw
 * body: after one that is not what its headers say, the connection is of no use.
 */
const agent = new Agent({ keepAlive: true });

/** A connection for one request, which takes up the session of one before: that saves a tenth of its processor time. */
const once = new Agent({ keepAlive: false });

/** Of all connections: without a context of its own, each would load the list of authorities again. */
const trusting = { rejectUnauthorized: false, secureContext: createSecureContext() };

/** A service that ends takes its connections with it: none of them is left for a request to the next one on its port. */
export function closeIdleConnections(): void {
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

export async function request(
  port: number,
  method: string,
  path: string,
  options: RequestOptions = {},
): Promise<Answer> {
  const { body, rawBody, signal, address = '127.0.0.1' } = options;
  const sent = body === undefined ? rawBody : JSON.stringify(body);
  const isPlain = rawBody === undefined && !/^\/api\/twain(?:\/scan)?$/.test(path);
  const headers: OutgoingHttpHeaders = {
    host: `localhost:${port}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(sent === undefined || options.headers?.['transfer-encoding']
      ? {}
      : { 'content-length': Buffer.byteLength(sent) }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const call = httpsRequest(
      {
        host: address,
        port,
        method,
        path,
        headers,
        ...trusting,
        agent: isPlain ? agent : once,
        ...(signal ? { signal } : {}),
      },
      response => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(parts);
          const isJson = /^application\/json\b/.test(response.headers['content-type'] ?? '') && bytes.length > 0;
          try {
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              bytes,
              // Only for whoever reads it: a page is no UTF-8, and slow to decode as such.
              get text() {
                return bytes.toString('utf8');
              },
              json: isJson ? (JSON.parse(bytes.toString('utf8')) as unknown) : undefined,
            });
          } catch (error) {
            reject(error as Error);
          }
        });
      },
    );
    call.on('error', reject);
    call.end(sent);
  });
}

export async function connect(port: number, address = '127.0.0.1'): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = tlsConnect({ host: address, port, ...trusting }, () => resolve(socket));
    socket.once('error', reject);
  });
}

/** Sends each character as one byte, and reads until the other side closes. */
export async function exchange(socket: TLSSocket, bytes: string): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await closed;
  return text;
}

/** The statuses of the answers in what a connection got, in order; `100 Continue` is none. */
export function statusesOf(text: string): number[] {
  return [...text.matchAll(/(?:^|[^\r\n])HTTP\/1\.1 (\d{3}) /g)]
    .map(([, status]) => Number(status))
    .filter(each => each !== 100);
}
