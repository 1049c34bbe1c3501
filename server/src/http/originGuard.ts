/** Refuses requests of web pages from elsewhere than `security.allowedOrigins`, before any handler. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import { HttpError } from './errors.js';
import { ownOrigin } from './ownPage.js';

/** An origin is a scheme, a host and a port, and none of them has letter case. */
const plain = (origin: string): string => origin.toLowerCase();

/** Whether pages of this origin may call; `null`, the origin of sandboxed and local pages, is on no list. */
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
      // Without an Origin it is not a web page's request: curl, or the browser's own address line.
      // Our own pages are served under a name that the host guard let pass.
      if (origin === undefined || allowed(origin) || plain(origin) === ownOrigin(request)) return done();
      done(
        new HttpError(
          'origin-refused',
          'Pages of this origin may not use the scanners: security.allowedOrigins does not list it.',
        ),
      );
    });
  },
  { name: 'originGuard', fastify: '5.x', dependencies: ['hostGuard'] },
);
