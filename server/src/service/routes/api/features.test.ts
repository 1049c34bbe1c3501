/** `GET /api/features` and its events over plugins that a test changes. */
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { fakeDriver, fakeRecogniser } from '@platen/conformance';
import { createRegistry, type PluginReport } from '@platen/core';
import t, { type Test } from 'tap';
import { Check } from 'typebox/value';
import { buildApp } from '../../app.js';
import { composeFakes } from '../../compose.test.kit.js';
import { createFeatures, type FeatureList } from '../../features.js';
import { FeatureListAnswer } from '../../shapes/features.js';

const page = 'https://a.example';

async function service(t: Test, config: object = {}) {
  let reports: readonly PluginReport[] = [];
  let registry = createRegistry();
  registry.add('ocr', { recognisers: [fakeRecogniser('ocr')] });
  const plugins = {
    get registry() {
      return registry;
    },
    get reports() {
      return reports;
    },
  };
  const composed = await composeFakes(
    t,
    { drivers: [fakeDriver({ devices: [{ name: 'A' }] })] },
    { config, parts: { features: createFeatures(plugins) } },
  );
  const { routeParts } = composed;
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost', '127.0.0.1'] } });
  t.teardown(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  return {
    ...{ app, url, routeParts, stop: composed.stopScanning },
    switchOff() {
      registry = createRegistry();
      reports = [
        { use: '@platen/ocr', state: 'disabled', provides: [], declares: [{ kind: 'recogniser', id: 'ocr' }] },
      ];
      routeParts.features.changed();
    },
  };
}

/** Reads a stream's events one by one. */
async function open(t: Test, url: string) {
  const hangUp = new AbortController();
  t.teardown(() => hangUp.abort());
  const response = await fetch(`${url}/api/features/events`, { signal: hangUp.signal });
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    hangUp: () => hangUp.abort(),
    /** Undefined: the stream has ended. */
    async next(): Promise<(FeatureList & { readonly success: boolean }) | undefined> {
      for (;;) {
        const found = /event: features\ndata: (.*)\n\n/.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return JSON.parse(found[1] ?? '') as FeatureList & { readonly success: boolean };
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
  };
}

t.test('features: the example of the documents is valid', async t => {
  const text = await readFile(new URL('../../../../../docs/http-interface.md', import.meta.url), 'utf8');
  const [, example = ''] = /### Features[^]*?```json\n([^]*?)```/.exec(text) ?? [];
  t.ok(Check(FeatureListAnswer, JSON.parse(example)));
});

t.test('features: the list, never from a store', async t => {
  const { app } = await service(t);
  const answer = await app.inject('/api/features');
  t.equal(answer.headers['cache-control'], 'no-store');
  t.match(answer.json(), { success: true, revision: 1, text: { available: true }, recognisers: ['ocr'] });
});

t.test('features: the stream has the list at once, and after each change; the service ends it', async t => {
  const { url, switchOff, stop, app } = await service(t);
  const { response, next } = await open(t, url);
  t.match(response.headers.get('content-type'), /^text\/event-stream/);
  t.match(response.headers.get('cache-control'), /no-store/);
  t.match(await next(), { success: true, revision: 1, text: { available: true } });
  switchOff();
  const changed = await next();
  t.match(changed, { revision: 2, text: { available: false }, recognisers: [] });
  t.match(
    changed?.off.find(({ id }) => id === 'ocr'),
    { kind: 'recogniser', why: 'switched-off' },
  );
  t.same((await app.inject('/api/features')).json(), changed);
  await stop();
  t.equal(await next(), undefined);
});

t.test('features: who hangs up is gone', async t => {
  const { url, routeParts } = await service(t);
  const { next, hangUp } = await open(t, url);
  await next();
  t.equal(routeParts.clients.open.streams, 1);
  hangUp();
  while (routeParts.clients.open.streams > 0) await new Promise(setImmediate);
});

t.test('features: a page that nobody allowed gets neither', async t => {
  const { app } = await service(t, { security: { origins: 'ask' } });
  for (const url of ['/api/features', '/api/features/events']) {
    const answer = await app.inject({ url, headers: { host: 'localhost:53052', origin: page } });
    t.equal(answer.statusCode, 403, url);
    t.match(answer.json(), { success: false, code: 'consent-required' });
  }
});

t.test('features: these streams leave half of the limit to those that carry pages', async t => {
  const { url, app } = await service(t, { clients: { maxStreams: 2 } });
  await (await open(t, url)).next();
  const answer = await app.inject('/api/features/events');
  t.equal(answer.statusCode, 429);
  t.match(answer.json(), { code: 'too-many-streams' });
});
