/** Refuses a request that names another host: what stops a foreign page that had its own name point to this machine. */
import type { App } from '../routes/route.js';
import { HttpError } from './errors.js';

/** @param allowedHosts names without a port, IPv6 in brackets */
export function installHostGuard(app: App, allowedHosts: readonly string[]): void {
  const allowed = new Set(allowedHosts.map(host => host.toLowerCase()));
  app.addHook('onRequest', (request, _reply, done) => {
    const host = request.headers.host;
    if (host !== undefined && allowed.has(withoutPort(host))) return done();
    const what = host === undefined || host === '' ? 'A request names its host' : 'This service does not answer to that host name';
    done(new HttpError('host-refused', `${what}; call it as ${allowedHosts.join(', ')}.`));
  });
}

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');
