import { Duplex } from 'node:stream';
import { fakeDriver, recordingLog } from '@platen/conformance';
import { nullLog } from '@platen/core';
import { encodeFrame } from '@platen/driver-kit';
import { remoteDriver } from '@platen/driver-remote';
import t from 'tap';
import { oneService } from './oneService.js';

const never = (): AbortSignal => new AbortController().signal;

function pair(): [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    at =>
      new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _, done) {
          if (!ends[1 - at]!.destroyed) ends[1 - at]!.push(chunk);
          done();
        },
        destroy(error, done) {
          if (!ends[1 - at]!.destroyed) ends[1 - at]!.push(null);
          done(error);
        },
      }),
  );
  return [ends[0]!, ends[1]!];
}

t.test('oneService: serves one service after the other', async t => {
  const log = recordingLog('info');
  const service = oneService(fakeDriver(), { log, version: '1.2.3.0' });
  for (let round = 0; round < 2; round++) {
    const [near, far] = pair();
    service.take(far);
    const remote = remoteDriver(undefined, { id: 'desktop', log: nullLog });
    await remote.attach(near);
    t.same(remote.link.peer, { version: '1.2.3.0' });
    await remote.close();
  }
  await service.close();
  const [comes, goes] = [
    /^info: The service \(version \d+\.\d+\.\d+\) connected\.$/,
    'info: The service disconnected.',
  ];
  t.match(log.lines, [comes, goes, comes, goes]);
  t.equal(log.lines.length, 4);
});

t.test('oneService: another protocol is rejected each time, and logged once', async t => {
  const log = recordingLog('info');
  const service = oneService(fakeDriver(), { log, version: '1' });
  for (let round = 0; round < 3; round++) {
    const [near, far] = pair();
    service.take(far);
    near.resume();
    for (const chunk of encodeFrame({ hello: { protocol: 7, role: 'client', version: '9.0.0', insert: false } }))
      near.write(chunk);
    await new Promise<void>(resolve => (far.closed ? resolve() : far.once('close', () => resolve())));
  }
  await service.close();
  t.match(log.lines, [
    /^warn: The connection to the driver fake ended: the other end \(version 9\.0\.0\) speaks protocol 7, .*: install the same version of Platen at both ends\.$/,
  ]);
  t.equal(log.lines.length, 1);
});

t.test("oneService: a second connection replaces the first, after the first one's sessions closed", async t => {
  const log = recordingLog('info');
  const fake = fakeDriver();
  const service = oneService(fake, { log, version: '1' });
  t.teardown(() => service.close());
  const [near, far] = pair();
  service.take(far);
  const first = remoteDriver(near, { id: 'first', log: nullLog });
  const session = await first.open('fake-1', { signal: never() });

  const [newer, its] = pair();
  service.take(its);
  const second = remoteDriver(newer, { id: 'second', log: nullLog });
  t.teardown(() => second.close());
  const again = await second.open('fake-1', { signal: never() });
  t.equal(fake.closed, 1, 'the scanner was free');
  await t.rejects(session.status({ signal: never() }), { code: 'not-connected' });
  t.match(await again.status({ signal: never() }), { online: true });
  t.ok(log.lines.includes('warn: The service connected again; closed its previous connection.'));
});

t.test('oneService: a session that does not close delays the next service by handoverMs at most', async t => {
  const fake = fakeDriver();
  let release = (): void => undefined;
  const hanging = {
    ...fake,
    open: async (...args: Parameters<typeof fake.open>) => {
      const session = await fake.open(...args);
      return { ...session, close: () => new Promise<void>(resolve => (release = resolve)) };
    },
  };
  const service = oneService(hanging, { log: nullLog, version: '1', handoverMs: 20 });
  const [near, far] = pair();
  service.take(far);
  await remoteDriver(near, { id: 'first', log: nullLog }).open('fake-1', { signal: never() });
  const [newer, its] = pair();
  service.take(its);
  const second = remoteDriver(undefined, { id: 'second', log: nullLog });
  await second.attach(newer);
  t.ok(second.link.peer);
  release();
  await second.close();
});

t.test('oneService: many connect at once, the last one remains', async t => {
  const service = oneService(fakeDriver(), { log: nullLog, version: '1' });
  const remotes = Array.from({ length: 5 }, () => {
    const [near, far] = pair();
    service.take(far);
    return remoteDriver(near, { id: 'desktop', log: nullLog });
  });
  await remotes[4]!.ping({ signal: never() });
  t.same(
    remotes.map(each => each.link.peer !== undefined),
    [false, false, false, false, true],
  );
  await service.close();
});
