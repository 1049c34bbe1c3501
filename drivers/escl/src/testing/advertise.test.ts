/** An advertised device is found on loopback, and is gone after its goodbye. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import makeMdns, { type ResponsePacket } from 'multicast-dns';
import t from 'tap';
import { advertise } from './advertise.js';
import { startDevice } from './device.js';
import { selfSigned } from './selfSigned.js';

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0);
  await once(socket, 'listening');
  const { port } = socket.address();
  await new Promise<void>(resolve => socket.close(() => resolve()));
  return port;
}

for (const [type, tls] of [
  ['_uscan._tcp', undefined],
  ['_uscans._tcp', selfSigned()],
] as const) {
  t.test(type, async t => {
    const device = await startDevice({ feeder: 'simplex', ...(tls && { tls }) });
    const port = await freePort();
    const client = makeMdns({ interface: '127.0.0.1', bind: '0.0.0.0', port });
    t.teardown(async () => {
      client.destroy();
      await device.close();
    });
    await once(client, 'ready');
    const heard = () => once(client, 'response').then(([packet]) => (packet as ResponsePacket).answers ?? []);

    const announced = heard();
    const advertisement = await advertise(device.service, { port });
    t.match(await announced, [{ type: 'PTR', name: `${type}.local` }], 'it announces itself');
    client.query('_ipp._tcp.local', 'PTR');
    const answered = heard();
    client.query(`${type}.local`, 'PTR');
    const instance = `${device.service.name}.${type}.local`;
    const [ptr, srv, txt, a] = await answered;
    t.match(ptr, { data: instance, ttl: 120 });
    t.match(srv, { name: instance, data: { port: device.port } });
    t.same([a?.type, a && 'data' in a && a.data], ['A', '127.0.0.1']);
    const keys = txt?.type === 'TXT' && Array.isArray(txt.data) ? txt.data.map(String) : [];
    t.match(keys, [
      'txtvers=1',
      /^vers=/,
      'rs=eSCL',
      'ty=Platen Test Device',
      /^note=/,
      'pdl=image/jpeg',
      /^uuid=/,
      'cs=color,grayscale,binary',
      'is=platen,adf',
      'duplex=F',
    ]);
    t.equal(advertisement.asked, 1, 'printers are not asked for here');

    const goodbye = heard();
    await advertisement.withdraw();
    t.match(await goodbye, [{ type: 'PTR', data: instance, ttl: 0 }]);
    await advertisement.vanish();
  });
}
