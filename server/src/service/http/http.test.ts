/** The plugins that handle a request before its route have one order, which fastify enforces. */
import fastify, { type FastifyPluginCallback } from 'fastify';
import t from 'tap';
import type { Security } from '../../machine/config/schema.js';
import type { Consent } from '../consent/consent.js';
import { testConsent } from '../consent/consent.test.kit.js';
import { consentGuard } from './guards/consentGuard.js';
import { cors, privateNetwork } from './guards/cors.js';
import { emptyBody } from './guards/emptyBody.js';
import { errorAnswer } from './answers/errorAnswer.js';
import { fetchGuard } from './guards/fetchGuard.js';
import { hostGuard } from './guards/hostGuard.js';
import { originGuard } from './guards/originGuard.js';
import { anyOrigin, testApp } from './testApp.test.kit.js';

const options: Security & { readonly consent: Consent } = { ...anyOrigin, consent: testConsent(anyOrigin).consent };

t.test('http: a plugin registered too early, fastify names it and its missing dependency', async t => {
  const tooEarly: [FastifyPluginCallback<typeof options>, string, string][] = [
    [emptyBody, 'emptyBody', 'errorAnswer'],
    [hostGuard, 'hostGuard', 'errorAnswer'],
    [originGuard, 'originGuard', 'hostGuard'],
    [privateNetwork, 'privateNetwork', 'originGuard'],
    [cors, 'cors', 'originGuard'],
    [fetchGuard, 'fetchGuard', 'cors'],
    [consentGuard, 'consentGuard', 'fetchGuard'],
  ];
  for (const [plugin, name, missing] of tooEarly) {
    const app = fastify();
    await t.rejects(async () => app.register(plugin, options), {
      code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
      message: `The dependency '${missing}' of plugin '${name}' is not registered`,
    });
  }
});

t.test('http: CORS before the private-network preflight, rejected', async t => {
  const app = fastify();
  await app
    .register(errorAnswer, { forPages: said => said })
    .register(hostGuard, anyOrigin)
    .register(originGuard, options);
  await t.rejects(async () => app.register(cors, options), { message: /'privateNetwork' of plugin 'cors'/ });
});

t.test('http: registers every plugin', async t => {
  const { app } = await testApp();
  for (const name of [
    'errorAnswer',
    'emptyBody',
    'hostGuard',
    'originGuard',
    'privateNetwork',
    'cors',
    'fetchGuard',
    'consentGuard',
    'http',
  ]) {
    t.ok(app.hasPlugin(name), name);
  }
});
