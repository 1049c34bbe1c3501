/** A plain HTTP relay in front of a fixture: it cuts, delays and counts a client's traffic. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { Fixture } from '../topology/topology.js';

export interface Relayed {
  readonly method: string;
  readonly path: string;
  readonly lastEventId: string | undefined;
}

export interface Relay {
  readonly url: string;
  /** Every request so far. */
  readonly requests: readonly Relayed[];
  /** Cuts the open streams, of events and documents, as an unplugged cable would. @returns their number */
  cut(): number;
  /** Open streams. */
  readonly streams: number;
  /** Refuses connections, or accepts them again. */
  down: boolean;
  /** Holds requests. @param path of one; default all. @returns a function that releases them */
  hold(path?: string): () => void;
  /** The service's port, which changes with a restart. */
  port: number;
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? '';

const isStream = (path: string): boolean => /\/(?:events|document)$/.test(path);

/** @param without a path that an older service lacks, with all below it */
export async function relayTo(t: Test, fixture: Fixture, without?: string): Promise<Relay> {
  const requests: Relayed[] = [];
  const streams = new Set<IncomingMessage>();
  let down = false;
  let { port } = fixture;
  let held: { readonly path: string | undefined; readonly until: Promise<void> } | undefined;
  const server = createServer(async (incoming, outgoing) => {
    const path = pathOf(incoming);
    if (held && path === (held.path ?? path)) await held.until;
    relay(incoming, outgoing);
  });
  const relay = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (down) return void incoming.socket.destroy();
    const { method = '', url = '', headers } = incoming;
    const path = pathOf(incoming);
    if (without !== undefined && `${path}/`.startsWith(`${without}/`))
      return void outgoing
        .writeHead(404, {
          'access-control-allow-origin': headers.origin ?? '*',
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': 'Platen-Error',
          'platen-error': '{"code":"unknown-path"}',
        })
        .end();
    requests.push({ method, path, lastEventId: headers['last-event-id'] as string | undefined });
    const onward = request(
      {
        host: '127.0.0.1',
        port,
        method,
        path: url,
        headers: { ...headers, host: `localhost:${port}` },
        rejectUnauthorized: false,
        agent: false,
      },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
        outgoing.flushHeaders();
        answer.pipe(outgoing);
        answer.on('error', () => outgoing.destroy());
        if (!isStream(path)) return;
        streams.add(incoming);
        outgoing.on('close', () => streams.delete(incoming));
      },
    );
    onward.on('error', () => outgoing.destroy());
    // Like the service, answers a request even if its sender does not wait: a closing page does not.
    if (isStream(path)) outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  };
  // A connection that is closed just when it is used again breaks a call, which only browsers make again.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    cut() {
      const { size } = streams;
      for (const { socket } of streams) socket.destroy();
      return size;
    },
    get streams() {
      return streams.size;
    },
    hold(path) {
      let letGo = (): void => undefined;
      held = { path, until: new Promise(resolve => (letGo = resolve)) };
      return () => {
        held = undefined;
        letGo();
      };
    },
    get down() {
      return down;
    },
    get port() {
      return port;
    },
    set port(value) {
      port = value;
    },
    set down(value) {
      down = value;
    },
  };
}

/** An address without a listener, on which one may start later. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return `https://localhost:${port}`;
}
