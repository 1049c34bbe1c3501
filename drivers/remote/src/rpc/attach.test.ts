/** Connections that come, go, replace each other, and are chained. */
import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { fakeDriver } from '@platen/conformance';
import { nullLog, ScanError, type Driver } from '@platen/core/plugin';
import t from 'tap';
import { remoteDriver } from './remoteDriver.js';
import { call, linked, listOf, memoryPair, orderOf, settle, socketPair } from './rpc.test.kit.js';
import { serveDriver } from './serveDriver.js';

t.test('remoteDriver: a call before the handshake waits for it, an abort ends the wait', async t => {
  const [near, far] = memoryPair();
  const remote = remoteDriver(near, { id: 'remote', log: nullLog });
  const listing = listOf(remote);
  const reason = new ScanError('cancelled', 'enough');
  const abandon = new AbortController();
  const opening = remote.open('fake-1', { signal: abandon.signal });
  abandon.abort(reason);
  t.equal(await opening.catch((error: unknown) => error), reason);
  void serveDriver(fakeDriver(), far, { log: nullLog });
  t.equal((await listing).length, 1);
  await remote.close();
});

t.test('attach: another stream replaces the first one, whose sessions are not-connected', async t => {
  const fake = fakeDriver({ devices: [{}, {}] });
  const { remote, near, served } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const [second, far] = memoryPair();
  void serveDriver(fake, far, { log: nullLog });
  await remote.attach(second);
  await served;
  t.equal(near.destroyed, true);
  await t.rejects(session.status(call()), { code: 'not-connected' });
  await (await remote.open('fake-1', call())).close();
  t.ok(remote.link.peer);
  await remote.close();
  const [third] = memoryPair();
  await t.rejects(remote.attach(third), { code: 'not-connected', message: /was closed/ });
  t.equal(third.destroyed, true);
});

t.test('close: the far end closes its sessions first, an unresponsive one is waited for up to closeMs', async t => {
  const fake = fakeDriver();
  const { remote, served } = await linked(fake);
  await remote.open('fake-1', call());
  await remote.close();
  t.equal(fake.closed, 1);
  await served;
  await (await fake.open('fake-1', call())).close();

  const stuck: Driver = {
    ...fake,
    open: async (id, its) => ({ ...(await fake.open(id, its)), close: () => new Promise<never>(() => undefined) }),
  };
  const { remote: deaf, near } = await linked(stuck, memoryPair(), { near: { closeMs: 5 } });
  await deaf.open('fake-1', call());
  await deaf.close();
  t.equal(near.destroyed, true);

  const [mute] = memoryPair();
  const early = remoteDriver(mute, { id: 'early', log: nullLog, closeMs: 1e9, handshakeMs: 1e9 });
  const listing = listOf(early);
  await Promise.all([early.close(), t.rejects(listing, { code: 'not-connected' })]);
  t.equal(mute.destroyed, true, 'a far end without a handshake is not waited for');
});

t.test('remoteDriver: works over two pipes as over a socket', async t => {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = Duplex.from({ readable: back, writable: there });
  const far = Duplex.from({ readable: there, writable: back });
  const { remote, served } = await linked(fakeDriver(), [near, far]);
  t.equal((await listOf(remote)).length, 1);
  await remote.close();
  await served;
});

t.test('remoteDriver: a driver behind two connections, calls and losses pass through both', async t => {
  const fake = fakeDriver({ sheets: 1 });
  const inner = await linked(fake, memoryPair(), { far: { version: '1.0.0' } });
  const outer = await linked(inner.remote, memoryPair(), { far: { version: '2.0.0' } });
  let changes = 0;
  outer.remote.watch!(() => changes++);
  const session = await outer.remote.open('fake-1', call());
  const pages = session.scan(orderOf(), { ...call(), stop: call().signal })[Symbol.asyncIterator]();
  t.equal((await pages.next()).value.sheet, 1);
  t.same(outer.remote.link.peer, { version: '2.0.0' });
  inner.far.destroy();
  await settle();
  t.equal(changes, 1, 'the devices behind the lost connection went');
  await t.rejects(pages.next(), { code: 'not-connected' });
  t.ok(outer.remote.link.peer);
  await outer.remote.close();
});

t.test('attach: a stream that carried a challenge before, the handshake begins behind it', async t => {
  const [near, far] = await socketPair();
  far.write('open sesame');
  void serveDriver(fakeDriver(), far, { log: nullLog }); // its handshake comes right behind
  await once(near, 'readable');
  t.equal(String(near.read(11)), 'open sesame');
  const remote = remoteDriver(undefined, { id: 'remote', log: nullLog });
  await remote.attach(near);
  t.equal((await listOf(remote)).length, 1);
  await remote.close();
});
