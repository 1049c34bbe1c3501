/** Everything that handles a request before its route; each plugin names those that must come before it. */
import fastifyPlugin from 'fastify-plugin';
import type { Security } from '../../machine/config/schema.js';
import type { Consent } from '../consent/consent.js';
import { consentGuard } from './guards/consentGuard.js';
import { cors, privateNetwork } from './guards/cors.js';
import { emptyBody } from './guards/emptyBody.js';
import { errorAnswer } from './answers/errorAnswer.js';
import { fetchGuard } from './guards/fetchGuard.js';
import type { ForPages } from './answers/forPages.js';
import { hostGuard } from './guards/hostGuard.js';
import { originGuard } from './guards/originGuard.js';

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
