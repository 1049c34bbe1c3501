/** A small server with one scan, to imitate a service's failures: cut answers, lost streams, a restart. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { path, servedScan, type Asked, type ScanControls } from './servedScan.test.kit.js';

/**
 * What becomes of the next request of a call: `unheard` is cut before it has an effect, `lost` after it, `torn` in the
 * middle of its answer; `wrong` changes the answer's last byte; a number is the status of a refusal.
 */
export type Fault = 'unheard' | 'lost' | 'torn' | 'wrong' | number;

export interface ScanServer extends ScanControls {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Requests of this call. */
  count(call: string): number;
  /** For the next requests of this call, one each. */
  fail(call: string, ...faults: readonly Fault[]): void;
  stop(): Promise<void>;
  /** On the same port. */
  restart(): Promise<void>;
}

const codes: Readonly<Record<number, string>> = {
  400: 'invalid-value',
  404: 'scan-not-found',
  409: 'busy',
  429: 'too-many-streams',
};

export async function scanServer(t: Test): Promise<ScanServer> {
  const asked: Asked[] = [];
  const faults = new Map<string, Fault[]>();
  const scan = servedScan();

  const answer = (its: Asked, url: URL, response: ServerResponse): void => {
    const fault = faults.get(its.call)?.shift();
    if (fault === 'unheard') return void response.destroy();
    if (typeof fault === 'number') return refuse(response, fault);
    if (its.call === `GET ${path}/events`) return scan.streamTo(response, Number(its.headers['last-event-id'] ?? 0));
    if (its.call === `GET ${path}/document` && fault === undefined)
      return scan.isEmpty ? refuse(response, 404, 'no-pages') : scan.documentTo(response);
    const found = scan.answerTo(its, url);
    if (fault === 'lost') return void response.destroy();
    if (found === undefined) return refuse(response, 404);
    const text = typeof found === 'string' ? found : JSON.stringify(found);
    response.setHeader('content-length', Buffer.byteLength(text));
    if (fault === 'torn') return void response.write(text.slice(0, text.length / 2), () => response.destroy());
    response.end(fault === 'wrong' ? `${text.slice(0, -1)}?` : text);
  };

  let server: Server;
  const listen = async (port: number): Promise<void> => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const route = url.pathname.replace(/\/pages\/\d+$/, '/pages');
      let body = '';
      request.setEncoding('utf8').on('data', piece => (body += String(piece)));
      request.on('end', () => {
        const its = { call: `${request.method} ${route}`, query: url.search.slice(1), headers: request.headers, body };
        asked.push(its);
        answer(its, url, response);
      });
    });
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server!.address() as AddressInfo;
  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  t.teardown(() => void (server.listening && stop()));

  return {
    ...scan.controls,
    url: `http://127.0.0.1:${port}`,
    asked,
    count: call => asked.filter(each => each.call === call).length,
    fail: (call, ...more) => void faults.set(call, [...(faults.get(call) ?? []), ...more]),
    stop,
    restart: () => listen(port),
  };
}

function refuse(response: ServerResponse, status: number, code = codes[status] ?? 'storage-failed'): void {
  response.writeHead(status, { 'platen-error': JSON.stringify({ code }) });
  response.end(JSON.stringify({ success: false, error: `A sentence about ${code}.` }));
}

/** Resolves when it is true; polls, as conditions of a server have no event. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise(resolve => setTimeout(resolve, 5));
}
