/** Requests to one device, and to nobody else: its address is fixed, only paths differ, and no redirect is followed. */
import { Agent as HttpAgent, request as httpRequest, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { bodyOf, type Measure } from './body.js';
import { EsclFault, faultOf } from './esclFault.js';
import { pinnedConnections } from './pinned.js';
import type { Pins } from './pins.js';
import type { Quirks } from './quirks.js';

export interface Ask {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Absolute within the device. */
  readonly path: string;
  /** XML. */
  readonly body?: string;
  /** The most bytes of an answer that are taken. */
  readonly most: number;
  /** Milliseconds in which nothing comes. */
  readonly silence: number;
  readonly signal: AbortSignal;
  /** Says by its beginning how large a body may be. */
  readonly measure?: Measure;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Of an answer with status 200 or 201; empty else. */
  readonly body: Uint8Array;
}

export interface Wire {
  /** @throws EsclFault, or the signal's reason */
  ask(ask: Ask): Promise<Answer>;
  close(): void;
}

export interface WireParts {
  /** `http://192.168.1.20:80/eSCL`; of it the host and the port count. */
  readonly url: URL;
  readonly deviceId: string;
  readonly pins: Pins;
  readonly host: Quirks['host'];
}

export function createWire({ url, deviceId, pins, host }: WireParts): Wire {
  const isTls = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  // Every answer closes its connection: devices keep few of them, and a kept one that the device ends at the wrong moment costs a page.
  const agent = isTls ? pinnedConnections(new HttpsAgent({ keepAlive: false }), deviceId, pins) : new HttpAgent({ keepAlive: false });
  const send = isTls ? httpsRequest : httpRequest;

  const authority = host === 'with port' || url.port !== '' ? `${url.hostname}:${port}` : url.hostname;
  const hostHeader = host === 'localhost' ? 'localhost' : authority;

  return {
    ask({ method, path, body, most, silence, signal, measure }) {
      signal.throwIfAborted();
      const options: RequestOptions = {
        agent, hostname, port, method, path,
        headers: { Host: hostHeader, Accept: '*/*', 'User-Agent': 'Platen', ...(body !== undefined && { 'Content-Type': 'text/xml', 'Content-Length': Buffer.byteLength(body) }) },
      };
      const request = send(options);
      const aborted = () => request.destroy();
      signal.addEventListener('abort', aborted, { once: true });
      let silent: EsclFault | undefined;
      /** What is no HTTP ends the answer too, which does not say why. */
      let broken: Error | undefined;
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code?.startsWith('HPE_')) broken = error;
      });
      // Of its own: Node's counts from when there is a connection.
      const timer = setTimeout(() => {
        silent = new EsclFault('silent', `nothing came from it for ${silence / 1000} s`);
        request.destroy(silent);
      }, silence);
      return answered(request, body)
        .then(async response => {
          const status = response.statusCode ?? 0;
          response.on('data', () => timer.refresh()).pause();
          timer.refresh();
          const bytes = status === 200 || status === 201 ? bodyOf(response, most, measure) : Promise.resolve(new Uint8Array());
          // Kyocera ends the connection after the head of what answers a POST.
          return { status, headers: response.headers, body: await (method === 'GET' ? bytes : bytes.catch(() => new Uint8Array())) };
        })
        .catch((error: unknown) => {
          throw signal.aborted ? signal.reason : (silent ?? faultOf(broken ?? error));
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

function answered(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // It stays: what comes after the answer's head is told by the answer.
    request.on('error', reject);
    request.once('response', resolve);
    request.end(body);
  });
}
