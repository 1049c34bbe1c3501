/**
 * Rejects a request for another host: stops DNS rebinding, by which a foreign page points its own name at this
 * computer.
 */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../../../machine/config/schema.js';
import { HttpError } from '../errors.js';

export const hostGuard = fastifyPlugin<Pick<Security, 'allowedHosts'>>(
  async (app, { allowedHosts }) => {
    const allowed = new Set(allowedHosts.map(host => host.toLowerCase()));
    app.addHook('onRequest', (request, _reply, done) => {
      const host = request.headers.host;
      // RFC 9112, 3.2: two Host headers are an error, and an address with a host overrides the header.
      const named = request.raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
      const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.originalUrl)?.[1];
      if (named > 1) return done(new HttpError('bad-request', 'The request has several Host headers. Send one.'));
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
          ? 'The request has no Host header'
          : 'This service does not answer to that host name';
      done(new HttpError('host-refused', `${what}. Call the service as ${allowedHosts.join(', ')}.`));
    });
  },
  { name: 'hostGuard', fastify: '5.x', dependencies: ['errorAnswer'] },
);

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d*$/, '');
