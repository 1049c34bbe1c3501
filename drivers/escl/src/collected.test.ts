/** Deadlines survive garbage collection: Node drops some timeouts that nothing references. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import { esclDriver } from './driver.js';
import { optionsWith, quick, rigOf } from './rig.test.kit.js';

const { signal } = new AbortController();
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Longer than a test may take. */
const never = 120_000;

t.beforeEach(t => {
  const timer = setInterval(collect, 50);
  t.teardown(() => clearInterval(timer));
});

t.test('devices: a scanner does not answer, the first listing ends in time', async t => {
  const rig = await rigOf({}, { discoverySeconds: 1 }, { answer: never });
  t.teardown(() => rig.dispose?.());
  rig.device.fault('always', 'deaf');
  const online: boolean[] = [];
  for await (const device of rig.driver.devices({ signal })) online.push(device.online);
  t.same(online, [false]);
});

t.test('open: a scanner answers byte by byte, timeout', async t => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/xml' });
    const timer = setInterval(() => answer.write(' '), 100);
    answer.on('close', () => clearInterval(timer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => (server.closeAllConnections(), server.close()));
  const id = `http://127.0.0.1:${(server.address() as AddressInfo).port}/eSCL`;
  const driver = esclDriver({
    options: optionsWith({ devices: [id] }),
    log: nullLog,
    dataDir: t.testdir(),
    deadlines: { ...quick, answer: 1000 },
  });
  t.teardown(() => driver.close());
  await t.rejects(driver.open(id, { signal }), { code: 'timeout' });
});
