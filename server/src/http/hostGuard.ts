/** Refuses a request that names another host: what stops a foreign page that had its own name point to this machine. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import { HttpError } from './errors.js';

export const hostGuard = fastifyPlugin<Pick<Security, 'allowedHosts'>>(
  async (app, { allowedHosts }) => {
    const allowed = new Set(allowedHosts.map(host => host.toLowerCase()));
    app.addHook('onRequest', (request, _reply, done) => {
      const host = request.headers.host;
      // RFC 9112, 3.2: two are an error, and an address that names a host counts before the header.
      const named = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
      const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.originalUrl)?.[1];
      if (named > 1) return done(new HttpError('bad-request', 'A request names its host once.'));
      if (
        authority !== undefined &&
        allowed.has(withoutPort(authority)) &&
        authority.toLowerCase() !== host?.toLowerCase()
      )
        return done(new HttpError('bad-request', "The request's address and its Host name different hosts."));
      if (
        host !== undefined &&
        allowed.has(withoutPort(host)) &&
        (authority === undefined || allowed.has(withoutPort(authority)))
      )
        return done();
      const what =
        host === undefined || host === ''
          ? 'A request names its host'
          : 'This service does not answer to that host name';
      done(new HttpError('host-refused', `${what}; call it as ${allowedHosts.join(', ')}.`));
    });
  },
  { name: 'hostGuard', fastify: '5.x', dependencies: ['errorAnswer'] },
);

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');
