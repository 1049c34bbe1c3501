/** Links that come, go, take each other's place, and lie behind one another. */
import { once } from 'node:events';
import { Duplex, PassThrough } from 'node:stream';
import { fakeDriver } from '@platen/conformance';
import { ScanError, type Driver } from '@platen/core/plugin';
import t from 'tap';
import { remoteDriver } from './remoteDriver.js';
import { call, linked, listOf, logOf, memoryPair, orderOf, settle, socketPair } from './remote.test.kit.js';
import { serveDriver } from './serveDriver.js';

t.test('calls made before the hello wait for it, and an abort ends the wait', async t => {
  const [near, far] = memoryPair();
  const remote = remoteDriver(near, { id: 'remote', log: logOf().log });
  const listing = listOf(remote);
  const reason = new ScanError('cancelled', 'enough');
  const abandon = new AbortController();
  const opening = remote.open('fake-1', { signal: abandon.signal });
  abandon.abort(reason);
  t.equal(await opening.catch((error: unknown) => error), reason);
  void serveDriver(fakeDriver(), far, { log: logOf().log });
  t.equal((await listing).length, 1);
  await remote.close();
});

t.test('another stream takes the place of the first one', async t => {
  const fake = fakeDriver({ devices: [{}, {}] });
  const { remote, near, served } = await linked(fake);
  const session = await remote.open('fake-1', call());
  const [second, far] = memoryPair();
  void serveDriver(fake, far, { log: logOf().log });
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

t.test('close lets the far end close its sessions first, and waits for a deaf one only so long', async t => {
  const fake = fakeDriver();
  const { remote, served } = await linked(fake);
  await remote.open('fake-1', call());
  await remote.close();
  t.equal(fake.closed, 1);
  await served;
  await (await fake.open('fake-1', call())).close();

  const stuck: Driver = { ...fake, open: async (id, its) => ({ ...(await fake.open(id, its)), close: () => new Promise<never>(() => undefined) }) };
  const { remote: deaf, near } = await linked(stuck, memoryPair(), { near: { closeMs: 5 } });
  await deaf.open('fake-1', call());
  await deaf.close();
  t.equal(near.destroyed, true);

  const [mute] = memoryPair();
  const early = remoteDriver(mute, { id: 'early', log: logOf().log, closeMs: 1e9, helloMs: 1e9 });
  const listing = listOf(early);
  await Promise.all([early.close(), t.rejects(listing, { code: 'not-connected' })]);
  t.equal(mute.destroyed, true, 'a far end that says no hello is not waited for');
});

t.test('two pipes are as good as a socket', async t => {
  const [there, back] = [new PassThrough(), new PassThrough()];
  const near = Duplex.from({ readable: back, writable: there });
  const far = Duplex.from({ readable: there, writable: back });
  const { remote, served } = await linked(fakeDriver(), [near, far]);
  t.equal((await listOf(remote)).length, 1);
  await remote.close();
  await served;
});

t.test('a driver may be two links away', async t => {
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
  t.equal(changes, 1, 'what is behind the lost link went');
  await t.rejects(pages.next(), { code: 'not-connected' });
  t.ok(outer.remote.link.peer);
  await outer.remote.close();
});

t.test('a stream over which something else was said before, as a challenge, is attached where that ended', async t => {
  const [near, far] = await socketPair();
  far.write('open sesame');
  void serveDriver(fakeDriver(), far, { log: logOf().log }); // its hello comes right behind
  await once(near, 'readable');
  t.equal(String(near.read(11)), 'open sesame');
  const remote = remoteDriver(undefined, { id: 'remote', log: logOf().log });
  await remote.attach(near);
  t.equal((await listOf(remote)).length, 1);
  await remote.close();
});
