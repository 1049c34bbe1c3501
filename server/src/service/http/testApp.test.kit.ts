/** An app with all of `http` and a few plain routes, for the tests of this folder. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { ServerOptions } from 'node:https';
import { InvalidValue, ScanError } from '@platen/core';
import type { Security } from '../../machine/config/schema.js';
import { createLogger } from '../../machine/log/log.js';
import type { App } from './app.js';
import { testConsent } from '../consent/consent.test.kit.js';
import { http } from './http.js';
import { httpServerOptions } from './serverOptions.js';

export const anyOrigin: Security = {
  origins: 'open',
  localPrograms: 'any',
  allowedHosts: ['localhost', '127.0.0.1', '[::1]'],
};
export const oneOrigin: Security = { ...anyOrigin, origins: ['https://App.example:8443'] };

export interface TestApp {
  readonly app: App;
  /** Log lines, as JSON. */
  readonly lines: string[];
  /** The URLs of requests that reached a handler. */
  readonly handled: string[];
}

export async function testApp(
  security: Security = anyOrigin,
  tls?: Pick<ServerOptions, 'key' | 'cert'>,
): Promise<TestApp> {
  const lines: string[] = [];
  const handled: string[] = [];
  const loggerInstance: FastifyBaseLogger = createLogger('debug', { write: line => void lines.push(line) });
  const app: App = fastify({ loggerInstance, ...httpServerOptions(tls) }).withTypeProvider<TypeBoxTypeProvider>();
  await app.register(http, { security, consent: testConsent(security).consent, forPages: said => said });
  app.addHook('preHandler', async request => void handled.push(request.url));
  app.get('/ok', async () => ({ success: true }));
  app.post('/echo', async request => ({ success: true, body: request.body ?? 'none' }));
  app.get('/scanners/:name', async request => ({ success: true, name: (request.params as { name: string }).name }));
  app.get('/secret', async () => {
    throw Object.assign(new Error('ENOENT: /home/somebody/secret.txt'), { code: 'ENOENT' });
  });
  app.get('/thrown', async () => {
    throw 'a string';
  });
  app.get('/code/:code', async request => {
    throw Object.assign(new Error('A sentence.'), { code: (request.params as { code: string }).code });
  });
  app.get('/jam', async () => {
    throw new ScanError('paper-jam', 'Paper is stuck.');
  });
  app.get('/invalid', async () => {
    throw new InvalidValue('size', 'one of A4, A5', ['A4', 'A5']);
  });
  app.post(
    '/checked',
    { schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
    async () => ({}),
  );
  return { app, lines, handled };
}

export const failureOf = (response: { json(): unknown }): string => {
  const body = response.json() as { success?: unknown; error?: unknown };
  if (Object.keys(body).sort().join() !== 'error,success' || body.success !== false || typeof body.error !== 'string') {
    throw new Error(`not an error body: ${JSON.stringify(body)}`);
  }
  return body.error;
};
