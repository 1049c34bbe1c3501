/** Rejects requests of web pages whose origin `security.origins` does not admit, before any handler. */
import fastifyPlugin from 'fastify-plugin';
import type { Consent } from '../../consent/consent.js';
import { HttpError } from '../errors.js';
import { ownOrigin } from './ownPage.js';

export const originGuard = fastifyPlugin<{ readonly consent: Consent }>(
  async (app, { consent }) => {
    app.addHook('onRequest', (request, _reply, done) => {
      const { origin } = request.headers;
      // Without an Origin it is not a web page's request, but curl's or the browser's address bar.
      // Platen's own pages are served under a host name that the host guard accepts.
      if (origin === undefined || consent.admits(origin) || origin.toLowerCase() === ownOrigin(request)) return done();
      const why =
        consent.mode === 'ask'
          ? 'A page without an origin of its own, such as a local file or a sandboxed frame, cannot be allowed.'
          : 'To allow it, add it to security.origins.';
      done(new HttpError('origin-refused', `Pages of this origin may not use the scanners. ${why}`));
    });
  },
  { name: 'originGuard', fastify: '5.x', dependencies: ['hostGuard'] },
);
