/** States and transitions: health, and the open scanner. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sheets } from '../topology/sheets.js';
import { get, scan, until } from './calls.js';
import { spec, start } from './specTest.js';

interface Status {
  readonly scannerStatus: { readonly isSourceOpen: boolean };
}

export const states = [
  spec('States, health: Healthy, as plain text', ['states.health.healthy', 'endpoints.health'], async (t, fixture) => {
    const { status, headers, text } = await fixture.request('GET', '/health');
    t.equal(status, 200);
    t.match(headers['content-type'], /^text\/plain/);
    t.equal(text, 'Healthy');
  }),

  spec(
    'States, health: Unhealthy when the check fails, and the rest still answers',
    ['states.health.unhealthy', 'errors.unhealthy', 'endpoints.health'],
    async (t, _fixture, topology) => {
      const fixture = await start(t, topology);
      await rm(join(fixture.dataDir, 'spool'), { recursive: true });
      const { status, headers, text } = await fixture.request('GET', '/health');
      t.equal(status, 503);
      t.match(headers['content-type'], /^text\/plain/);
      t.equal(text, 'Unhealthy');
      await until(async () => /health check failed/i.test(fixture.log()));
      t.match(await get(fixture, '/'), { status: 200, json: { status: 'running' } });
    },
  ),

  spec(
    'States, source: a scan opens the scanner and closes it, however it ends',
    ['states.source.isSourceOpen', 'endpoints.scan.oneCall'],
    async (t, fixture) => {
      const isOpen = async () => (await get<Status>(fixture, '/api/twain/status')).json.scannerStatus.isSourceOpen;
      t.equal(await isOpen(), false);
      await fixture.load('jamming', sheets(1, 2));
      t.equal((await scan(fixture, 'jamming', { resolution: 75 })).status, 500);
      t.equal(await isOpen(), false, 'after a jam');
      await fixture.load('duplex', []);
      t.equal((await scan(fixture, 'duplex')).status, 500);
      t.equal(await isOpen(), false, 'after an empty feeder');
      t.equal((await scan(fixture, 'duplex', { resolution: 77 })).status, 400);
      t.equal(await isOpen(), false, 'after a refused value');
      t.equal((await scan(fixture, 'flatbed', { resolution: 75 })).status, 200);
      t.equal(await isOpen(), false, 'after a successful scan');
    },
    ['jamming', 'duplex', 'flatbed'],
  ),
];
