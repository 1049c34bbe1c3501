/** CORS: echoes an allowed origin, because browsers reject `*` if a page sends credentials. */
import fastifyCors from '@fastify/cors';
import fastifyPlugin from 'fastify-plugin';
import type { Consent } from '../../consent/consent.js';
import { errorHeader } from '../answers/errorHeader.js';
import { scanHeader } from '../answers/scanHeader.js';

/** How long a browser may cache a preflight. */
const PREFLIGHT_SECONDS = 600;

export const cors = fastifyPlugin<{ readonly consent: Consent }>(
  async (app, { consent }) => {
    await app.register(fastifyCors, {
      // A function, so that `Vary: Origin` is on every answer.
      origin: (origin, done) => done(null, origin === undefined || consent.admits(origin)),
      credentials: true,
      methods: ['GET', 'HEAD', 'POST', 'DELETE'],
      exposedHeaders: [
        'x-request-id',
        'x-autoscan-series',
        errorHeader,
        'Location',
        'ETag',
        'Content-Digest',
        'Repr-Digest',
        'Content-Range',
        'Accept-Ranges',
        'Content-Disposition',
        scanHeader,
      ],
      maxAge: PREFLIGHT_SECONDS,
      // An OPTIONS without the CORS headers is not an error.
      strictPreflight: false,
    });
  },
  { name: 'cors', fastify: '5.x', dependencies: ['originGuard', 'privateNetwork'] },
);
