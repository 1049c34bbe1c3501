/** One service on one data folder; any number beside each other on their own. */
import { randomUUID } from 'node:crypto';
import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { scan } from '../spec/calls.js';
import { refusedStart, start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology as topology } from '../topology/virtualTopology.js';

t.test('a second service on the same data folder is refused, and the first goes on', async t => {
  const house = await start(t, topology);
  const { code, log } = await refusedStart(topology, { dataDir: house.dataDir });
  t.equal(code, 6);
  t.match(log, /data folder .* in use by another service \(process \d+\)/);
  await house.load('duplex', sheets(1));
  t.equal((await scan(house, 'duplex', { resolution: 75 })).status, 200);
});

t.test('a service that was killed leaves nothing in the way', async t => {
  const killed = await topology.start();
  t.teardown(() => killed.stop());
  await writeFile(join(killed.dataDir, 'spool', randomUUID()), 'document');
  killed.signal('SIGKILL');
  t.equal((await killed.ended).code, null);
  const house = await start(t, topology, { dataDir: killed.dataDir });
  t.equal((await scan(house, 'flatbed', { resolution: 75 })).status, 200);
  t.same(await readdir(join(house.dataDir, 'spool')), [], 'its pages are gone');
});

t.test('two services with folders and ports of their own run beside each other', async t => {
  const [one, other] = [await start(t, topology), await start(t, topology)];
  t.not(one.port, other.port);
  await one.load('duplex', sheets(1, 2));
  await other.load('duplex', sheets(3));
  const [first, second] = await Promise.all([scan(one, 'duplex', { resolution: 75 }), scan(other, 'duplex', { resolution: 75 })]);
  t.equal(first.json.imageCount, 2);
  t.equal(second.json.imageCount, 1);
});

const skip = process.platform === 'win32' && 'Windows has no such modes';
t.test('what lies in the data folder is for its owner only', { skip }, async t => {
  const house = await start(t, topology);
  const modeOf = async (...path: string[]): Promise<number> => (await stat(join(house.dataDir, ...path))).mode & 0o777;
  t.equal(await modeOf(), 0o700);
  t.equal(await modeOf('spool'), 0o700);
  t.equal(await modeOf('certificate'), 0o700);
  t.equal(await modeOf('certificate', 'key.pem'), 0o600);
  t.match(await readFile(join(house.dataDir, 'certificate', 'cert.pem'), 'utf8'), /BEGIN CERTIFICATE/);
});
