/** CORS: echoes an allowed origin, because browsers reject `*` if a page sends credentials. */
import fastifyCors from '@fastify/cors';
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import { errorHeader } from './errorHeader.js';
import { originAllowed } from './originGuard.js';
import { scanHeader } from './scanHeader.js';

/** How long a browser may cache a preflight. */
const PREFLIGHT_SECONDS = 600;

export const cors = fastifyPlugin<Pick<Security, 'allowedOrigins'>>(
  async (app, { allowedOrigins }) => {
    const allowed = originAllowed(allowedOrigins);
    await app.register(fastifyCors, {
      // A function, so that `Vary: Origin` is on every answer.
      origin: (origin, done) => done(null, origin === undefined || allowed(origin)),
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
