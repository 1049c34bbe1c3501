/** `GET /app/about`: what a plugin tells of one of its scanners, for the service's own page. */
import { fakeDriver } from '@platen/conformance';
import type { PluginHealth } from '@platen/core';
import t from 'tap';
import { testService } from '../../service.test.kit.js';

const host = 'localhost:53052';

async function aboutOf(health?: () => PluginHealth) {
  const driver = fakeDriver({
    devices: [{ name: 'Desk', manufacturer: 'Acme', model: 'F100' }, { name: 'Hall' }],
  });
  const { app, scans } = await testService(t, driver, health ? { health } : {});
  await scans.list();
  return async (scanner: string, headers: Readonly<Record<string, string>> = {}) => {
    const url = `/app/about?${new URLSearchParams({ scanner })}`;
    const answer = await app.inject({ url, headers: { host, ...headers } });
    return { status: answer.statusCode, json: answer.json<Record<string, unknown>>(), opened: driver.opened };
  };
}

t.test('about: the state of its plugin, and the facts of this scanner', async t => {
  const about = await aboutOf(() => ({
    state: 'warning',
    sentence: 'The rollers of Desk are worn.',
    facts: [
      { name: 'firmware', value: '4.1', device: 'Desk', title: 'Firmware' },
      { name: 'pages_total', value: 1200, device: 'Desk', metric: 'counter' },
      { name: 'firmware', value: '5', device: 'Hall' },
      { name: 'seats', value: 3 },
    ],
  }));
  const { status, json, opened } = await about('Desk');
  t.equal(status, 200);
  t.strictSame(json, {
    success: true,
    manufacturer: 'Acme',
    model: 'F100',
    health: { state: 'warning', sentence: 'The rollers of Desk are worn.' },
    facts: [
      { name: 'firmware', value: '4.1', title: 'Firmware' },
      { name: 'pages_total', value: 1200 },
    ],
  });
  t.equal(opened, 0, 'no scanner was opened');
  t.match((await about('Hall')).json, { facts: [{ value: '5' }] });
});

t.test('about: a plugin that tells nothing; a scanner that is not listed; another page', async t => {
  const about = await aboutOf();
  const { json } = await about('Desk');
  t.strictSame(json, { success: true, manufacturer: 'Acme', model: 'F100', facts: [] });
  t.equal((await about('Loft')).status, 404);
  t.equal((await about('')).status, 400);
  t.equal((await about('Desk', { origin: 'https://a.example' })).status, 403);
});
