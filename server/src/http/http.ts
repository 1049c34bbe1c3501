/** Everything that handles a request before its route; each plugin names those that must come before it. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../config/schema.js';
import type { Consent } from '../consent/consent.js';
import { consentGuard } from './consentGuard.js';
import { cors } from './cors.js';
import { emptyBody } from './emptyBody.js';
import { errorAnswer } from './errorAnswer.js';
import { fetchGuard } from './fetchGuard.js';
import type { ForPages } from './forPages.js';
import { hostGuard } from './hostGuard.js';
import { originGuard } from './originGuard.js';
import { privateNetwork } from './privateNetwork.js';

export interface HttpOptions {
  readonly security: Pick<Security, 'allowedHosts'>;
  readonly consent: Consent;
  readonly forPages: ForPages;
}

/** Register it on an app made with `httpServerOptions`, before the routes. */
export const http = fastifyPlugin<HttpOptions>(
  async (app, { security, consent, forPages }) => {
    await app
      .register(errorAnswer, { forPages })
      .register(emptyBody)
      .register(hostGuard, security)
      .register(originGuard, { consent })
      .register(privateNetwork)
      .register(cors, { consent })
      .register(fetchGuard)
      .register(consentGuard, { consent });
  },
  { name: 'http', fastify: '5.x' },
);
