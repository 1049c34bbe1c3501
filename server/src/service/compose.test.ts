import { fakeClock, fakeDriver, fakeRecogniser } from '@platen/conformance';
import { createRegistry, deferred, nullLog, systemClock, type Log } from '@platen/core';
import t from 'tap';
import { Default } from 'typebox/value';
import { buildApp } from './app.js';
import { compose, containerOf } from './compose.js';
import { composeFakes } from './compose.test.kit.js';
import { ConfigSchema, type Config } from '../machine/config/schema.js';
import { testConsent } from './consent/consent.test.kit.js';
import { tokens, type Parts } from './tokens.js';

t.test('compose: the parts of the routes include every part of the container', async t => {
  const log: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const own = containerOf({
    config: Default(ConfigSchema, { metrics: { enabled: true } }) as Config,
    dataDir: '/nowhere',
    log,
    clock: systemClock,
    registry: createRegistry(),
    memory: { remembered: new Map(), keep: () => undefined, close: async () => undefined },
    scanStore: { read: async () => [], create: () => ({}) as never },
    spool: {} as Parts['spool'],
    consent: testConsent().consent,
  });
  const resolved = new Set<string>();
  for (const [name, token] of Object.entries(tokens))
    own.beforeResolution<unknown>(token, () => void resolved.add(name));
  t.ok(own.resolve(tokens.routeParts));
  t.same([...resolved].sort(), Object.keys(tokens).sort());
});

t.test('compose: a part passed by a test replaces the default everywhere', async t => {
  const clock = fakeClock();
  const { routeParts } = await composeFakes(
    t,
    { drivers: [fakeDriver({ devices: [{ name: 'A' }] })] },
    { parts: { clock, version: '9.8.7.6' } },
  );
  t.equal(routeParts.clock, clock);
  t.equal(routeParts.version, '9.8.7.6');
  t.equal(routeParts.desktop.version, '9.8.7.6', 'in what is made of it as well');
  t.same(
    (await routeParts.scans.list()).map(({ name }) => name),
    ['A'],
  );
});

t.test('compose: on macOS, every driver’s scanners list the OCR languages', async t => {
  const recognisers = [{ ...fakeRecogniser('ocr'), languages: ['deu'] }];
  for (const [platform, expected] of [
    ['darwin', ['deu']],
    ['linux', undefined],
    ['win32', undefined],
  ] as const) {
    const drivers = [fakeDriver({ devices: [{ name: 'A' }] })];
    const { routeParts } = await composeFakes(t, { drivers, recognisers }, { parts: { platform } });
    t.same((await routeParts.scans.capabilities('A')).supportedOcrLanguages, expected, platform);
  }
});

t.test('compose: a profile with a word that no loaded plugin has is left out, and the log has its field', async t => {
  const config = { ...(Default(ConfigSchema, {}) as Config), plugins: [], file: 'platen.json' };
  const ingredients = { dataDir: t.testdir(), log: nullLog, pluginLog: () => nullLog };
  const said: string[] = [];
  const log = { ...nullLog, error: (line: string) => void said.push(line) };
  const profiles = { web: { imageFormat: 'WebP' }, a: { resolution: 300 } };
  const { routeParts, close } = await compose({ ...ingredients, log, config: { ...config, profiles } });
  t.strictSame(Object.keys(routeParts.profiles), ['a']);
  t.match(said, [/profiles\.web\.imageFormat/]);
  await close();
});

t.test('scans of earlier runs: calls that concern scans wait until they are read, and no others', async t => {
  const reading = deferred<void>();
  const scanStore: Parts['scanStore'] = { read: () => reading.promise.then(() => []), create: () => ({}) as never };
  const { routeParts } = await composeFakes(t, { drivers: [fakeDriver()] }, { parts: { scanStore } });
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  t.teardown(() => app.close());
  const answered: string[] = [];
  const waiting = ['/api/scans', '/api/scans/x', '/api/scans/x/pages/1', '/api/twain/autoscan/events'].map(
    async url => {
      await app.inject({ url });
      answered.push(url);
    },
  );
  for (const url of ['/', '/health', '/api/twain/status', '/api/twain/scanners'])
    t.equal((await app.inject({ url })).statusCode, 200, url);
  t.same(answered, []);
  reading.resolve();
  await Promise.all(waiting);
  t.equal(answered.length, waiting.length);
});
