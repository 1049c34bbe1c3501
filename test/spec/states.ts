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
  spec('States, health: Healthy, as plain text', ['states.health.healthy', 'endpoints.health'], async (t, house) => {
    const { status, headers, text } = await house.request('GET', '/health');
    t.equal(status, 200);
    t.match(headers['content-type'], /^text\/plain/);
    t.equal(text, 'Healthy');
  }),

  spec('States, health: Unhealthy when the check fails, and the rest still answers', ['states.health.unhealthy', 'errors.unhealthy', 'endpoints.health'], async (t, _house, topology) => {
    const house = await start(t, topology);
    await rm(join(house.dataDir, 'spool'), { recursive: true });
    const { status, headers, text } = await house.request('GET', '/health');
    t.equal(status, 503);
    t.match(headers['content-type'], /^text\/plain/);
    t.equal(text, 'Unhealthy');
    await until(async () => /health check failed/i.test(house.log()));
    t.match(await get(house, '/'), { status: 200, json: { status: 'running' } });
  }),

  spec('States, source: a scan opens the scanner for itself and closes it, however it ends', ['states.source.isSourceOpen', 'endpoints.scan.oneCall'], async (t, house) => {
    const isOpen = async () => (await get<Status>(house, '/api/twain/status')).json.scannerStatus.isSourceOpen;
    t.equal(await isOpen(), false);
    await house.load('jamming', sheets(1, 2));
    t.equal((await scan(house, 'jamming', { resolution: 75 })).status, 500);
    t.equal(await isOpen(), false, 'after a jam');
    await house.load('duplex', []);
    t.equal((await scan(house, 'duplex')).status, 500);
    t.equal(await isOpen(), false, 'after an empty feeder');
    t.equal((await scan(house, 'duplex', { resolution: 77 })).status, 400);
    t.equal(await isOpen(), false, 'after a refused value');
    t.equal((await scan(house, 'flatbed', { resolution: 75 })).status, 200);
    t.equal(await isOpen(), false, 'after a good scan');
  }, ['jamming', 'duplex', 'flatbed']),
];
