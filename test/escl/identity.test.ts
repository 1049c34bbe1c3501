/**
 * A scanner that two drivers list, eSCL's and SANE's (through Debian's sane-airscan), has a common identity; two
 * scanners of one host have none.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import escl from '@platen/driver-escl';
import { advertise, startDevice } from '@platen/driver-escl/testing';
import sane from '@platen/driver-sane';
import { nullLog, type Device, type Driver, type Contributions } from '@platen/core/plugin';
import t from 'tap';
import { needsSane } from '../topology/saneTopology.js';
import { needsAirscan } from './airscan.js';

const signal = new AbortController().signal;

const driverOf = ({ drivers = [] }: Contributions): Driver => drivers[0]!;

async function listed(driver: Driver): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices({ signal })) found.push(device);
  return found;
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}

if (needsAirscan(t) && needsSane(t)) {
  t.test('identities: same scanner through eSCL and SANE, recognised; two of one model, told apart', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-identity-'));
    const [first, second] = await Promise.all([
      startDevice({ model: 'Acme Flat' }),
      startDevice({ model: 'Acme Flat' }),
    ]);
    const port = await freePort();
    const advertisements = await Promise.all([first, second].map(({ service }) => advertise(service, { port })));
    await writeFile(join(folder, 'dll.conf'), 'airscan\n');
    const lines = [first, second].map(({ service, url }) => `"${service.name}" = ${url}, eSCL`);
    await writeFile(join(folder, 'airscan.conf'), `[devices]\n${lines.join('\n')}\n[options]\ndiscovery = disable\n`);
    const options = {
      devices: [],
      discovery: true,
      discoverySeconds: 1,
      discoveryInterface: '127.0.0.1',
      discoveryPort: port,
      feeding: 'continuous',
      silenceSeconds: 120,
      mostPages: 2000,
    } as const;
    const ofEscl = driverOf(await escl.setup({ options, log: nullLog, dataDir: folder }));
    const ofSane = driverOf(
      await sane.setup({
        options: { localOnly: false, silenceSeconds: 60, configDir: folder },
        log: nullLog,
        dataDir: folder,
      }),
    );
    t.teardown(async () => {
      await Promise.all([ofEscl.close(), ofSane.close(), ...advertisements.map(each => each.vanish())]);
      await Promise.all([first.close(), second.close()]);
      await rm(folder, { recursive: true, force: true });
    });
    const [network, local] = await Promise.all([listed(ofEscl), listed(ofSane)]);
    t.equal(network.length, 2);
    t.equal(local.length, 2);
    const inCommon = ({ identities = [] }: Device, other: Device) =>
      identities.some(each => other.identities?.includes(each));
    for (const device of network) t.equal(local.filter(other => inCommon(device, other)).length, 1);
    t.notOk(inCommon(network[0]!, network[1]!));
    t.notOk(inCommon(local[0]!, local[1]!));
  });
}
