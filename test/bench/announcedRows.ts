/** Two hundred network scanners that announce themselves: what listing them costs, and what a service does that only watches. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { advertise, startDevice } from '@platen/driver-escl/testing';
import { request } from '../topology/client.js';
import { spell, spreadOf, table, verdict } from './numbers.js';
import { startServiceWith } from './service.js';

const SCANNERS = 200;
const CALLS = 50;
const IDLE_SECONDS = 30;

export async function announcedRows(
  folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  say(`${SCANNERS} scanners that announce themselves: about a minute`);
  const own = await mkdtemp(join(folder, 'announced-'));
  const devices = await Promise.all(
    Array.from({ length: SCANNERS }, (_, n) => startDevice({ model: `Acme ${n + 1}` })),
  );
  const port = await freePort();
  const service = await startServiceWith(own, {
    use: '@platen/driver-escl',
    options: { discoveryInterface: '127.0.0.1', discoveryPort: port },
  });
  const list = async (): Promise<number> => {
    const { json } = await request(service.port, 'GET', '/api/twain/scanners');
    return (json as { scanners: { isOnline: boolean }[] }).scanners.filter(({ isOnline }) => isOnline).length;
  };
  const began = performance.now();
  const advertisements = await Promise.all(devices.map(device => advertise(device.service, { port })));
  while ((await list()) < SCANNERS) await setTimeout(200);
  const foundSeconds = (performance.now() - began) / 1000;
  say(`all are listed after ${foundSeconds.toFixed(1)} s`);
  const [ms, idle] = [[] as number[], [] as number[]];
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < CALLS; count++) {
      const started = performance.now();
      await list();
      ms.push(performance.now() - started);
    }
    const before = (await service.processorMs()) ?? NaN;
    await setTimeout(IDLE_SECONDS * 1000);
    idle.push((((await service.processorMs()) ?? NaN) - before) / IDLE_SECONDS / 10);
  }
  const [listed, watched] = [spreadOf(ms), spreadOf(idle)];
  await service.stop();
  await Promise.all(advertisements.map(each => each.withdraw()));
  await Promise.all(devices.map(device => device.close()));
  return table(
    [`${SCANNERS} eSCL scanners that announce themselves`, 'measured', 'wanted'],
    [
      ['s until all are listed', foundSeconds.toFixed(1), ''],
      ['ms for their list', spell(listed, 1), verdict('≤', listed.median, 20, 0)],
      ['% of a processor while nobody asks', spell(watched, 1), verdict('≤', watched.median, 1, 0)],
    ],
  );
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}
