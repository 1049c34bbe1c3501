/** Figures that plugins declare in their health. */
import { fakeDriver } from '@platen/conformance';
import { createRegistry, type HealthFact, type PluginHealth } from '@platen/core';
import t from 'tap';
import { composeFakes } from '../compose.test.kit.js';
import { testService } from '../service.test.kit.js';
import { parsed } from './parse.test.kit.js';

const host = 'localhost:53052';

t.test('metrics: what plugins declare of their health, and nothing else of it', async t => {
  const registry = createRegistry();
  const tells = (plugin: string, facts: readonly HealthFact[], state: PluginHealth['state'] = 'ok'): void =>
    registry.add(plugin, { health: () => ({ state, facts }) });
  tells('@acme/one', [
    { name: 'pages_total', value: 12, device: 'A "quoted" scanner', metric: 'counter', title: 'Pages' },
    { name: 'pages_total', value: 13, device: 'A "quoted" scanner', metric: 'counter' },
    { name: 'pages_total', value: 4, device: 'B', metric: 'counter' },
    { name: 'lamp_hours', value: 1.5, metric: 'gauge' },
    { name: 'undeclared', value: 1 },
    { name: 'firmware', value: 'secret firmware' },
    { name: 'rolls', value: 1, metric: 'counter' },
    { name: 'drop_count', value: 1, metric: 'gauge' },
    { name: 'drops_total', value: 1, metric: 'gauge' },
    { name: 'healthy', value: 1, metric: 'gauge' },
  ]);
  tells('two', [{ name: 'lamp_hours', value: 7, metric: 'gauge' }], 'warning');
  const { routeParts } = await composeFakes(
    t,
    {},
    { config: { metrics: { enabled: true } }, parts: { plugins: { registry, reports: [] }, registry } },
  );
  const text = await routeParts.metrics!.text();
  const { value } = parsed(text);
  t.equal(value('platen_plugin_pages_total{plugin="@acme/one",scanner="A \\"quoted\\" scanner"}'), 12);
  t.equal(value('platen_plugin_pages_total{plugin="@acme/one",scanner="B"}'), 4);
  t.equal(value('platen_plugin_lamp_hours{plugin="@acme/one"}'), 1.5);
  t.equal(value('platen_plugin_lamp_hours{plugin="two"}'), 7);
  t.equal(value('platen_plugin_healthy{plugin="@acme/one"}'), 1);
  t.equal(value('platen_plugin_healthy{plugin="two"}'), 0);
  t.match(text, /^# HELP platen_plugin_pages_total Pages, as a plugin tells it\.$/m);
  t.notMatch(text, /undeclared|secret|rolls|drops/);
});

t.test('health: a plugin is not asked while auto-scan uses its scanner', async t => {
  let asked = 0;
  const driver = fakeDriver({ devices: [{ name: 'Scanner', flatbed: false }], sheets: 0 });
  const { app, scans, health } = await testService(t, driver, {
    health: () => ({ state: 'ok', sentence: `${++asked}` }),
  });
  const enable = { method: 'POST', url: '/api/twain/autoscan/enable', headers: { host } } as const;
  const on = await app.inject({ ...enable, payload: { scannerName: 'Scanner' } });
  t.equal(on.statusCode, 200);
  t.equal(scans.usesDriver(driver), true);
  t.strictSame(await health.ask(), []);
  await scans.disableAutoscan();
  t.equal(scans.usesDriver(driver), false);
  t.match(await health.ask(), [{ plugin: 'fakes', sentence: '1' }]);
  t.match(health.known(driver.id), { state: 'ok' });
});

t.test("app/plugins: the health, for programs and the service's own page", async t => {
  const { app } = await testService(t, fakeDriver());
  const answer = await app.inject({ url: '/app/plugins', headers: { host } });
  t.strictSame(answer.json(), { success: true, health: [] });
  const page = await app.inject({ url: '/app/plugins', headers: { host, origin: 'https://a.example' } });
  t.equal(page.statusCode, 403);
});

t.test('capabilities: the details have what the plugin tells of this scanner', async t => {
  const driver = fakeDriver({ devices: [{ name: 'Desk' }, { name: 'Hall' }] });
  const facts = [
    { name: 'firmware', value: '4.1', device: 'Desk', title: 'Firmware' },
    { name: 'rollers', value: 7, device: 'Desk' },
    { name: 'firmware', value: '5', device: 'Loft' },
    { name: 'seats', value: 3 },
  ];
  const { app } = await testService(t, driver, { health: () => ({ state: 'ok', facts }) });
  const healthOf = async (name: string): Promise<unknown> => {
    const url = `/api/twain/scanners/${name}/capabilities?details=true`;
    const answer = await app.inject({ url, headers: { host } });
    t.equal(answer.statusCode, 200);
    return (answer.json() as { capabilities: { details: { health?: unknown } } }).capabilities.details.health;
  };
  t.strictSame(await healthOf('Desk'), [
    { name: 'firmware', value: '4.1', title: 'Firmware' },
    { name: 'rollers', value: 7 },
  ]);
  t.equal(await healthOf('Hall'), undefined);
});
