/** Listens on the loopback interface only: on IPv4 and, if available, on IPv6, at the same port. */
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { clientErrorHandler } from './http/serverOptions.js';
import { trackConnections } from './http/connections.js';
import type { App } from './http/app.js';

/** The errors of a computer without an IPv6 loopback address. */
const noAddress = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);

export type KeyAndCert = Pick<ServerOptions, 'key' | 'cert'>;

export interface Listening {
  readonly port: number;
  /** New connections get this certificate; open ones go on. */
  present(tls: KeyAndCert): void;
}

/**
 * @param port 0 takes a free port
 * @throws `EADDRINUSE`, with a sentence, if another program has the port
 */
export async function listen(app: App, port: number, tls: KeyAndCert): Promise<Listening> {
  try {
    await app.listen({ host: '127.0.0.1', port });
    const bound = (app.server.address() as AddressInfo).port;
    const { requestTimeout } = app.server;
    const second = createServer({ ...tls, requireHostHeader: false, requestTimeout }, (request, response) =>
      app.routing(request, response),
    );
    second.on('clientError', (error, socket) => clientErrorHandler(error, socket as Socket));
    const listening = await listenOn6(second, bound);
    closeWith(app, listening ? [second] : []);
    const servers = [app.server as unknown as Server, second];
    return { port: bound, present: next => servers.forEach(server => server.setSecureContext(next)) };
  } catch (error) {
    await app.close();
    throw await inWords(error as NodeJS.ErrnoException);
  }
}

async function inWords(error: NodeJS.ErrnoException): Promise<Error> {
  if (error.code !== 'EADDRINUSE') return error;
  const { port = 0 } = error as { port?: number };
  const sentence = (await isPlaten(port))
    ? `Port ${port} is in use by another Platen service, which has another data folder. Stop that service, or choose another port with --port or PLATEN_PORT.`
    : `Port ${port} is in use by another program. Stop that program, or choose another port with --port or PLATEN_PORT.`;
  return Object.assign(new Error(sentence, { cause: error }), { code: error.code });
}

/** Whether the program on the port says that it is Platen: for a sentence, so nothing is proved. */
async function isPlaten(port: number): Promise<boolean> {
  const { ask } = await import('../machine/ask.js');
  const reply = await ask({ port, host: 'localhost', path: '/' }).catch(() => undefined);
  return (reply?.json as { service?: unknown } | undefined)?.service === 'Platen';
}

async function listenOn6(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      noAddress.has(error.code ?? '') ? resolve(false) : reject(error),
    );
    server.listen({ host: '::1', port, ipv6Only: true }, () => resolve(true));
  });
}

/** Makes the first server's end close the others, and on all of them the connections that owe no answer. */
function closeWith(app: App, others: readonly Server[]): void {
  const first: NetServer = app.server;
  const closeConnections = [first, ...others].map(trackConnections);
  const close = first.close.bind(first);
  first.close = (done?: (error?: Error) => void) => {
    for (const server of others) server.close();
    const closed = close(done);
    for (const each of closeConnections) each();
    return closed;
  };
}
