/** CORS, and the preflight of private networks before it. */
import fastifyCors from '@fastify/cors';
import fastifyPlugin from 'fastify-plugin';
import type { Consent } from '../../consent/consent.js';
import { errorHeader } from '../answers/errorHeader.js';
import { scanHeader } from '../answers/scanHeader.js';

/** How long a browser may cache a preflight. */
const PREFLIGHT_SECONDS = 600;

/**
 * Answers browsers' private-network preflight; runs before CORS, which ends every preflight and does not support this
 * one. The origin guard has already rejected other origins.
 */
export const privateNetwork = fastifyPlugin(
  async app => {
    app.addHook('onRequest', (request, reply, done) => {
      if (request.method === 'OPTIONS' && request.headers['access-control-request-private-network'] === 'true') {
        void reply.header('Access-Control-Allow-Private-Network', 'true');
      }
      done();
    });
  },
  { name: 'privateNetwork', fastify: '5.x', dependencies: ['originGuard'] },
);

/** Echoes an allowed origin, because browsers reject `*` if a page sends credentials. */
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
