/** HTTP requests to one device only: its address is fixed, only paths differ, and no redirect is followed. */
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { readBody, type BodyLimit } from './responseBody.js';
import { EsclError, asEsclError } from './esclError.js';
import { pinnedAgent } from './pinnedAgent.js';
import type { CertificatePins } from './certificatePins.js';
import type { Quirks } from '../protocol/quirkTable.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute within the device. */
  readonly path: string;
  /** XML. */
  readonly body?: string;
  /** The largest response body that is accepted, in bytes. */
  readonly maxBytes: number;
  /** The longest time without any data from the device, in milliseconds. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Sets the limit of the body by its first bytes; until then it is `maxBytes`. */
  readonly limit?: BodyLimit;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Of a response with status 200 or 201; empty otherwise. */
  readonly body: Uint8Array;
}

export interface HttpClient {
  /** @throws EsclError, or the signal's reason */
  request(request: HttpRequest): Promise<HttpResponse>;
  close(): void;
}

export interface HttpClientParts {
  /** `http://192.168.1.20:80/eSCL`; only its protocol, host and port are used. */
  readonly url: URL;
  readonly deviceId: string;
  readonly pins: CertificatePins;
  readonly host: Quirks['host'];
}

const portOf = ({ protocol, port }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

export function hostHeaderOf(url: URL, host: Quirks['host']): string {
  if (host === 'localhost') return 'localhost';
  return host === 'with port' || url.port !== '' ? `${url.hostname}:${portOf(url)}` : url.hostname;
}

export function createHttpClient({ url, deviceId, pins, host }: HttpClientParts): HttpClient {
  const isTls = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = portOf(url);
  // One connection per request: devices keep few of them, and one that the device ends at the wrong moment costs a page.
  const agent = isTls
    ? pinnedAgent(new HttpsAgent({ keepAlive: false }), deviceId, pins)
    : new HttpAgent({ keepAlive: false });
  const send = isTls ? httpsRequest : httpRequest;
  const hostHeader = hostHeaderOf(url, host);

  return {
    request({ method, path, body, maxBytes, idleMs, signal, limit }) {
      signal.throwIfAborted();
      const options: RequestOptions = {
        agent,
        hostname,
        port,
        method,
        path,
        headers: {
          Host: hostHeader,
          Accept: '*/*',
          'User-Agent': 'Platen',
          ...(body !== undefined && { 'Content-Type': 'text/xml', 'Content-Length': Buffer.byteLength(body) }),
        },
      };
      const request = send(options);
      const aborted = () => request.destroy();
      signal.addEventListener('abort', aborted, { once: true });
      let timedOut: EsclError | undefined;
      /** Invalid HTTP ends the response too, without saying why. */
      let parseError: Error | undefined;
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code?.startsWith('HPE_')) parseError = error;
      });
      // Node's own timeout begins only when there is a connection.
      const timer = setTimeout(() => {
        timedOut = new EsclError('no response', `it sent nothing for ${idleMs / 1000} s`);
        request.destroy(timedOut);
      }, idleMs);
      return responseOf(request, body)
        .then(async response => {
          const status = response.statusCode ?? 0;
          response.on('data', () => timer.refresh()).pause();
          timer.refresh();
          const bytes =
            status === 200 || status === 201 ? readBody(response, maxBytes, limit) : Promise.resolve(new Uint8Array());
          // Kyocera ends the connection after the headers of its response to a POST.
          return {
            status,
            headers: response.headers,
            body: await (method === 'GET' ? bytes : bytes.catch(() => new Uint8Array())),
          };
        })
        .catch((error: unknown) => {
          throw signal.aborted ? signal.reason : (timedOut ?? asEsclError(parseError ?? error));
        })
        .finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', aborted);
          request.destroy();
        });
    },
    close: () => agent.destroy(),
  };
}

function responseOf(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // This listener stays: errors after the headers are reported by the response.
    request.on('error', reject);
    request.once('response', resolve);
    request.end(body);
  });
}
