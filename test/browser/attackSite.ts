/** A server with pages that attack: a service worker, redirects, and any text under any type. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';

export interface AttackSite {
  readonly origin: string;
  /** Another one: a page of `origin` is redirected by it. */
  readonly other: string;
}

/** `/` is a page; `/to?url=…` redirects with 307; `/worker.js` is a service worker that fetches what it is told. */
export async function openAttackSite(t: Test): Promise<AttackSite> {
  const worker = `
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', event => event.waitUntil(clients.claim()));
    addEventListener('message', async ({ data: [url, init], ports: [port] }) =>
      port.postMessage(await fetch(url, init).then(answer => answer.text().then(text => answer.status + ' ' + text), String)));
    addEventListener('fetch', event => {
      const url = new URL(event.request.url);
      if (url.pathname === '/through-worker') event.respondWith(fetch(url.searchParams.get('url'), { mode: 'no-cors', credentials: 'include' }));
    });`;
  const servers = [0, 1].map(() =>
    createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const cors = {
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-headers': 'content-type',
        'access-control-allow-credentials': 'true',
      };
      if (request.method === 'OPTIONS') response.writeHead(204, cors).end();
      else if (url.pathname === '/to')
        response.writeHead(307, { ...cors, location: url.searchParams.get('url') ?? '/' }).end();
      else if (url.pathname === '/worker.js')
        response.writeHead(200, { 'content-type': 'text/javascript' }).end(worker);
      else
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
          .end('<!doctype html><link rel="icon" href="data:,"><title>attack</title><body>');
    }),
  );
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  const [origin = '', other = ''] = servers.map(server => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { origin, other };
}
