/** A lost connection: every waiter is rejected, the far end closes its sessions, and the next connection finds the devices free. */
import { once } from 'node:events';
import { fakeDriver, recordingLog } from '@platen/conformance';
import type { Driver, Session } from '@platen/core/plugin';
import t from 'tap';
import { remoteDriver } from './remoteDriver.js';
import { call, linked, memoryPair, never, orderOf, settle, socketPair, type Ends } from './rpc.test.kit.js';
import { serveDriver } from './serveDriver.js';

const scanCall = () => ({ signal: never(), stop: never() });
const hung = () => new Promise<never>(() => undefined);

/** A driver that answers nothing but `open`. */
function unresponsiveDriver(onClose: () => void = () => undefined): Driver {
  const fake = fakeDriver();
  const mute: Partial<Session> = {
    capabilities: hung,
    status: hung,
    scan: () => ({ [Symbol.asyncIterator]: () => ({ next: hung, return: hung }) }),
    async close() {
      onClose();
    },
  };
  return {
    id: 'deaf',
    devices: () => ({ [Symbol.asyncIterator]: () => ({ next: hung }) }),
    insert: hung,
    open: async (id, its) => (id === 'never' ? hung() : { ...(await fake.open(id, its)), ...mute }),
    close: fake.close,
  };
}

type Wait = (ends: Ends, session: Session) => Promise<unknown>;
const waits: Readonly<Record<string, Wait>> = {
  'a listing': ({ remote }) => remote.devices(call())[Symbol.asyncIterator]().next(),
  'an open': ({ remote }) => remote.open('never', call()),
  'an insert': ({ remote }) => remote.insert!('fake-1', Buffer.alloc(3_000_000)),
  capabilities: (_ends, session) => session.capabilities(call()),
  'a status': (_ends, session) => session.status(call()),
  'a pull': (_ends, session) => session.scan(orderOf(), scanCall())[Symbol.asyncIterator]().next(),
  'a return() between pulls'(_ends, session) {
    const pages = session.scan(orderOf(), scanCall())[Symbol.asyncIterator]();
    pages.next().catch(() => undefined);
    return pages.return!().then(() => pages.next());
  },
};

const losses: Readonly<Record<string, (ends: Ends) => void>> = {
  'the far end is killed': ({ far }) => void far.destroy(),
  'the far end ends it': ({ far }) => void far.end(),
  'this end breaks': ({ near }) => void near.destroy(new Error('the cable was cut')),
};

for (const [how, lose] of Object.entries(losses)) {
  for (const [what, wait] of Object.entries(waits)) {
    t.test(`lost connection: ${what} is rejected when ${how}`, async t => {
      let closed = 0;
      const ends = await linked(
        unresponsiveDriver(() => closed++),
        what === 'a pull' ? await socketPair() : memoryPair(),
      );
      const session = await ends.remote.open('fake-1', call());
      const waiting = wait(ends, session);
      waiting.catch(() => undefined);
      await settle();
      lose(ends);
      if (what.startsWith('a return()')) await waiting.catch(() => undefined);
      else
        await t.rejects(waiting, {
          code: 'not-connected',
          message: /^The driver remote is not connected to the program that owns its scanners: ./,
        });
      if (what !== 'an open') await ends.served;
      await settle();
      t.equal(closed, 1, 'the far end has closed the session');
      await t.rejects(session.status(call()), { code: 'not-connected' });
      await t.rejects(session.scan(orderOf(), scanCall())[Symbol.asyncIterator]().next(), { code: 'not-connected' });
      await t.rejects(ends.remote.open('fake-1', call()), { code: 'not-connected' });
      await t.rejects(ends.remote.devices(call())[Symbol.asyncIterator]().next(), { code: 'not-connected' });
      await session.close();
      await ends.remote.close();
    });
  }
}

t.test('lost connection: a page that is partly there is dropped, the pages before it are yielded', async t => {
  const page = { width: 1000, height: 1000, pixels: 'rgb24' } as const;
  const ends: { now?: Ends } = {};
  const fake = fakeDriver({ sheets: 3, page });
  const pair = memoryPair(bytes => void (bytes > 4_000_000 && ends.now?.far.destroy()));
  ends.now = await linked(fake, pair);
  const session = await ends.now.remote.open('fake-1', call());
  const sheets: number[] = [];
  const scan = async () => {
    for await (const { sheet } of session.scan(orderOf(), scanCall())) sheets.push(sheet);
  };
  await t.rejects(scan(), { code: 'not-connected' });
  t.same(sheets, [1]);
  await ends.now.served;
  t.equal(fake.closed, 1);
});

t.test('lost connection: an idle iterator throws once at its next pull, then is done', async t => {
  const { remote, far } = await linked(fakeDriver({ sheets: 3 }));
  const pages = (await remote.open('fake-1', call())).scan(orderOf(), scanCall())[Symbol.asyncIterator]();
  await pages.next();
  far.destroy();
  await settle();
  await t.rejects(pages.next(), { code: 'not-connected' });
  t.equal((await pages.next()).done, true);
});

t.test('lost connection: a device that is being opened is closed as soon as it is open', async t => {
  const fake = fakeDriver();
  let opened = (): void => undefined;
  const slow: Driver = {
    ...fake,
    async open(id, its) {
      await new Promise<void>(resolve => (opened = resolve));
      return fake.open(id, { ...its, signal: never() });
    },
  };
  const { remote, far, served } = await linked(slow);
  const opening = remote.open('fake-1', call());
  opening.catch(() => undefined);
  await settle();
  far.destroy();
  await t.rejects(opening, { code: 'not-connected' });
  opened();
  await served;
  t.same([fake.opened, fake.closed], [1, 1]);
});

t.test('lost connection: the next one finds the device free, link reports both', async t => {
  const fake = fakeDriver({ sheets: 4 });
  const log = recordingLog('info');
  const remote = remoteDriver(undefined, { id: 'remote', log });
  const told: unknown[] = [];
  let changes = 0;
  const end = remote.link.onChange(connected => told.push(connected, remote.link.peer?.version));
  remote.watch!(() => changes++);
  t.equal(remote.link.peer, undefined);
  await t.rejects(remote.open('fake-1', call()), { code: 'not-connected' });
  for (const version of ['1.2.3', '1.2.4']) {
    const [near, far] = await socketPair();
    const served = serveDriver(fake, far, { log, version });
    await remote.attach(near);
    t.same(remote.link.peer, { version });
    const pages = (await remote.open('fake-1', call())).scan(orderOf(), scanCall())[Symbol.asyncIterator]();
    t.equal((await pages.next()).value.sheet, 1);
    far.destroy();
    await served;
    if (!near.closed) await once(near, 'close');
    await settle();
    t.equal(remote.link.peer, undefined);
  }
  t.same(told, [true, '1.2.3', false, undefined, true, '1.2.4', false, undefined]);
  t.equal(changes, 4, 'scanners came and went');
  end();
  await remote.close();
  t.same(log.lines, [], 'a lost connection is not a warning');
});
