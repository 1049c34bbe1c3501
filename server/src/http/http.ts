/** Everything that happens to a request before its route; each plugin names the ones that it has to come after. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import { cors } from './cors.js';
import { emptyBody } from './emptyBody.js';
import { errorAnswer } from './errorAnswer.js';
import { fetchGuard } from './fetchGuard.js';
import { hostGuard } from './hostGuard.js';
import { originGuard } from './originGuard.js';
import { privateNetwork } from './privateNetwork.js';

/** For an app made with `httpServerOptions`, before its routes are added. */
export const http = fastifyPlugin<Security>(
  async (app, security) => {
    await app.register(errorAnswer).register(emptyBody).register(hostGuard, security).register(originGuard, security)
      .register(privateNetwork).register(cors, security).register(fetchGuard);
  },
  { name: 'http', fastify: '5.x' },
);
