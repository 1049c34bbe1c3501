/** The motor's times, by a clock that only the test moves. */
import t from 'tap';
import { begin, pageOf } from './client.test.kit.js';
import { startDevice } from './device.js';
import { motor } from './motor.js';

t.test('motor: a client that keeps up never makes it wait', async t => {
  let time = 1000;
  const feeder = motor(100, 2, () => time);
  feeder.start();
  for (let sheet = 0; sheet < 5; sheet++) {
    t.equal(feeder.until(sheet), sheet === 0 ? 100 : 50);
    time = 1000 + 100 * (sheet + 1);
    t.equal(feeder.until(sheet), 0, 'it is there');
    // The next sheet goes through meanwhile.
    time += 50;
    feeder.taken(sheet);
  }
  t.same(feeder.waits, [0, 0, 0, 0, 0]);
});

t.test('motor: it waits while its memory is full', async t => {
  let time = 0;
  const feeder = motor(100, 2, () => time);
  feeder.start();
  feeder.until(0);
  time = 350;
  feeder.taken(0);
  t.equal(feeder.until(1), 0, 'the second sheet was scanned while the first one waited');
  feeder.taken(1);
  t.equal(feeder.until(2), 100, 'the third one starts when the first one has left');
  t.same(feeder.waits, [0, 0, 150]);
  feeder.start();
  t.same(feeder.waits, [], 'another job');
});

t.test('motor: a device with one sends both sides of a sheet when it is through', async t => {
  const device = await startDevice({ sheetMs: 1, memorySheets: 1 });
  t.teardown(() => device.close());
  device.load(2);
  const job = await begin(device, { duplex: true });
  for (let image = 0; image < 4; image++) await pageOf(job);
  t.equal(device.waits[0], 0);
  t.ok((device.waits[1] ?? 0) > 0, 'with memory for one sheet, the second waits until the first is taken');
  t.equal(device.waits.length, 2);
});
