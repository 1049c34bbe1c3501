/** A service that watches the network: scanners appear and vanish, and one that does not answer delays nothing. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { advertise, startDevice } from '@platen/driver-escl/testing';
import t from 'tap';
import { get, until } from '../spec/calls.js';
import { esclTopology } from '../topology/esclTopology.js';

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}

t.test('discovery: scanners appear and vanish, the list follows', async t => {
  const [device, silent] = await Promise.all([startDevice({ model: 'Acme Flat' }), startDevice()]);
  silent.fault('always', 'deaf');
  const port = await freePort();
  const options = { devices: [silent.url], discoveryInterface: '127.0.0.1', discoveryPort: port };
  const fixture = await esclTopology.start({
    config: { plugins: [{ use: '@platen/driver-escl', options }, { use: '@platen/format-jpeg' }] },
  });
  t.teardown(() => Promise.all([device.close(), silent.close()]));
  const listed = async () =>
    (await get<{ scanners: { name: string; isOnline: boolean }[] }>(fixture, '/api/twain/scanners')).json.scanners
      .filter(each => each.isOnline)
      .map(each => each.name);
  t.same(await listed(), []);

  const advertisement = await advertise(device.service, { port });
  await until(async () => (await listed()).includes('Acme Flat'));
  device.load(2);
  const scan = {
    scannerName: 'Acme Flat',
    parameters: { resolution: 75, colorMode: 'Color', imageFormat: 'Jpeg', pageSize: 'A6' },
  };
  t.match(await fixture.request('POST', '/api/twain/scan', { body: scan }), {
    status: 200,
    json: { success: true, imageCount: 2 },
  });
  t.equal(silent.requests.filter(({ status }) => status !== undefined).length, 0, 'the other scanner has not answered');

  await advertisement.withdraw();
  await until(async () => (await listed()).length === 0);
  await until(async () => fixture.log().includes(silent.url));
  t.equal((await fixture.stop()).code, 0, 'and nothing delays the end of the service');
});
