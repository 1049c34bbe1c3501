/** Listens on the loopback interface only: IPv4 and, where there is one, IPv6, on the same port. */
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { clientErrorHandler } from './http/serverOptions.js';
import type { App } from './routes/route.js';

/** Where a machine has no IPv6 loopback. */
const noAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

/**
 * @param port 0 takes a free one
 * @returns the port
 * @throws `EADDRINUSE` where another program has it
 */
export async function listen(app: App, port: number, tls: Pick<ServerOptions, 'key' | 'cert'>): Promise<number> {
  await app.listen({ host: '127.0.0.1', port });
  const bound = (app.server.address() as AddressInfo).port;
  const { requestTimeout } = app.server;
  const second = createServer({ ...tls, requireHostHeader: false, requestTimeout }, (request, response) => app.routing(request, response));
  second.on('clientError', (error, socket) => clientErrorHandler(error, socket as Socket));
  const listening = await listenOn6(second, bound).catch(async (error: NodeJS.ErrnoException) => {
    await app.close();
    throw error;
  });
  if (listening) closeWith(app, second);
  return bound;
}

async function listenOn6(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => (noAddress.has(error.code ?? '') ? resolve(false) : reject(error)));
    server.listen({ host: '::1', port, ipv6Only: true }, () => resolve(true));
  });
}

/** The first server's own close ends its idle connections; the second one's are ended here. */
function closeWith(app: App, server: Server): void {
  const { server: first } = app;
  const close = first.close.bind(first);
  first.close = (done?: (error?: Error) => void) => {
    server.close();
    server.closeIdleConnections();
    return close(done);
  };
}
