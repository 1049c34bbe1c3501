/** Rejects requests of web pages whose origin is not in `security.allowedOrigins`, before any handler. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import { HttpError } from './errors.js';
import { ownOrigin } from './ownPage.js';

/** An origin is a scheme, a host and a port; all are case-insensitive. */
const plain = (origin: string): string => origin.toLowerCase();

/** Whether pages of an origin may call; no list contains `null`, the origin of sandboxed and local pages. */
export function originAllowed(allowed: Security['allowedOrigins']): (origin: string) => boolean {
  if (allowed === '*') return () => true;
  const list = new Set(allowed.map(plain));
  return origin => list.has(plain(origin));
}

export const originGuard = fastifyPlugin<Pick<Security, 'allowedOrigins'>>(
  async (app, { allowedOrigins }) => {
    const allowed = originAllowed(allowedOrigins);
    app.addHook('onRequest', (request, _reply, done) => {
      const { origin } = request.headers;
      // Without an Origin it is not a web page's request, but curl's or the browser's address bar.
      // Platen's own pages are served under a host name that the host guard accepts.
      if (origin === undefined || allowed(origin) || plain(origin) === ownOrigin(request)) return done();
      done(
        new HttpError(
          'origin-refused',
          'Pages of this origin may not use the scanners. To allow it, add it to security.allowedOrigins.',
        ),
      );
    });
  },
  { name: 'originGuard', fastify: '5.x', dependencies: ['hostGuard'] },
);
