/** Discovery: sources of both bitnesses in one list, and their capabilities before they are opened. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Device } from '@platen/core/plugin';
import t from 'tap';
import { fakeProcesses } from '../fake/process.test.kit.js';
import { body, fakeHelpers, never, open, scanned, type Body } from '../rig.test.kit.js';

async function list({ driver }: Body): Promise<Device[]> {
  const found: Device[] = [];
  for await (const device of driver.devices({ signal: never() })) found.push(device);
  return found;
}

const opens = async (it: Body) => (await it.log()).filter(line => line === 'open').length;

t.test('listing: a source with both bitnesses, listed once, in the configured first bitness', async t => {
  for (const [bits, kind] of [
    [[64, 32], 64],
    [[32, 64], 32],
    [[32], 32],
  ] as const) {
    const started: number[] = [];
    const it = await body(
      { sources64: 'Both,Only 64', sources32: 'Only 32,Both' },
      {
        options: { bits },
        deviceId: 'Both',
        helpers: file => (each, log) => {
          started.push(each);
          return fakeHelpers(file)(each, log);
        },
      },
    );
    t.strictSame(
      (await list(it)).map(each => each.id).sort(),
      bits.length === 1 ? ['Both', 'Only 32'] : ['Both', 'Only 32', 'Only 64'],
    );
    started.length = 0;
    const session = await open(it);
    t.strictSame(started, [kind], 'its helper is of that kind');
    await session.close();
    await it.dispose();
  }
});

t.test('listing: a new source, opened once to read its capabilities, and closed again', async t => {
  const it = await body({ hasflatbed: 0, hasduplex: 0 });
  t.teardown(it.dispose);
  t.match(await list(it), [
    {
      id: 'Fake Scanner',
      manufacturer: 'Fake',
      model: 'Fake Scanner',
      online: true,
      feeder: true,
      flatbed: false,
      duplex: false,
      feeding: 'perSheet',
    },
  ]);
  t.strictSame(await it.log(), ['open', 'close']);
  await list(it);
  t.equal(await opens(it), 1);
});

t.test('listing: "ask" is "opening", sources listed with a guess until they are opened', async t => {
  const it = await body({ hasflatbed: 0 }, { options: { ask: 'opening' } });
  t.teardown(it.dispose);
  t.match(await list(it), [{ id: 'Fake Scanner', online: true, feeder: true, flatbed: true }]);
  t.equal(await opens(it), 0);
  const session = await open(it);
  t.match(session.device, { flatbed: false, duplex: true });
  await session.close();
  t.match(await list(it), [{ flatbed: false, duplex: true }]);
});

t.test('listing: a source that cannot be opened, offline and not tried again at every listing', async t => {
  const it = await body({ fault: 'openfail' });
  t.teardown(it.dispose);
  t.match(await list(it), [{ id: 'Fake Scanner', online: false }]);
  t.match(it.said, [/cannot be opened.*capabilities are a guess/]);
  await t.rejects(open(it), { code: 'device-offline' });
  await it.clearFaults();
  const session = await open(it);
  await session.close();
  t.match(await list(it), [{ online: true }]);
});

t.test('listing: a source that refuses to be closed, the sources after it are still asked', async t => {
  for (const helpers of [fakeProcesses, fakeHelpers]) {
    const it = await body({ sources64: 'A,B,C', hasduplex: 0, hasflatbed: 0, unclosed: 1 }, { helpers });
    t.teardown(it.dispose);
    t.match(
      await list(it),
      ['A', 'B', 'C'].map(id => ({ id, online: true, flatbed: false })),
      'no guesses',
    );
    t.strictSame(it.said, []);
  }
});

t.test('listing: no manager, fails only if both bitnesses lack one, logged once', async t => {
  const it = await body({ fault: 'nodsm64', sources32: 'Old' }, { options: { bits: [64, 32] } });
  t.teardown(it.dispose);
  t.match(await list(it), [{ id: 'Old' }]);
  t.strictSame(it.said, []);
  const none = await body({ fault: 'nodsm' }, { options: { bits: [64, 32] } });
  t.teardown(none.dispose);
  t.strictSame(await list(none), []);
  t.strictSame(await list(none), []);
  t.match(none.said, [/TWAIN's scanners cannot be used: neither TWAINDSM.dll/]);
  await t.rejects(open(none), { code: 'driver-failed' });
  await none.clearFaults();
  t.match(await list(none), [{ id: 'Fake Scanner' }]);
  t.match(none.said[1], /can be used again/);
});

t.test('listing: "sources" is configured, only those are listed and opened', async t => {
  const it = await body({ sources64: 'A,B' }, { options: { sources: ['B'] } });
  t.teardown(it.dispose);
  t.match(await list(it), [{ id: 'B' }]);
  await t.rejects(it.driver.open('A', { signal: never() }), { code: 'device-not-found' });
});

t.test('listing: a source is open, it is listed and not opened a second time', async t => {
  const it = await body({ sheets: 1 });
  t.teardown(it.dispose);
  const session = await open(it);
  const before = await opens(it);
  t.match(await list(it), [{ id: 'Fake Scanner', online: true, duplex: true }]);
  t.equal(await opens(it), before);
  t.match(await scanned(session), { pages: { length: 1 } });
});

t.test(
  'quarantine: a source crashes or hangs when asked its name, logged and skipped; the others are listed at once',
  async t => {
    for (const breaks of ['crash', 'hang']) {
      const it = await body(
        { sources64: 'A,B,C', sources32: 'D', culprit: 'B', breaks },
        { options: { bits: [64, 32] }, deadlines: { manager: 3000 } },
      );
      t.teardown(it.dispose);
      t.match(
        await list(it),
        ['A', 'C', 'D'].map(id => ({ id, online: true, duplex: true })),
        breaks,
      );
      t.match(it.said, [/C:\\B\.ds/], 'once');
      const session = await it.driver.open('A', { signal: never() });
      t.match(await session.status({ signal: never() }), { online: true }, 'it is opened without loading the culprit');
      await session.close();
      await t.rejects(it.driver.open('B', { signal: never() }), { code: 'device-not-found' });
      t.equal(it.said.length, 1);
    }
  },
);

t.test('quarantine: opening a source before a listing, skips the broken source, too', async t => {
  const it = await body({ sources64: 'A,B', culprit: 'A' });
  t.teardown(it.dispose);
  const session = await it.driver.open('B', { signal: never() });
  t.equal(session.device.id, 'B');
  await session.close();
  t.match(it.said, [/C:\\A\.ds/]);
});

t.test(
  'quarantine: a source that cannot be skipped, the known sources stay listed and a hanging manager is not asked again',
  async t => {
    for (const breaks of ['crash', 'hang']) {
      let started = 0;
      const it = await body(
        { sources64: 'A,B', sources32: 'C' },
        {
          options: { bits: [64, 32] },
          deadlines: { manager: 3000 },
          helpers: file => bits => {
            const helper = fakeProcesses(file)(bits);
            const call: typeof helper.call = (verb, args, how) => (
              verb === 'openDsm' && bits === 64 && started++,
              helper.call(verb, args, how)
            );
            return Object.assign(Object.create(helper) as typeof helper, { call });
          },
        },
      );
      t.teardown(it.dispose);
      const ids = ['A', 'B', 'C'];
      t.strictSame(
        (await list(it)).map(({ id }) => id),
        ids,
      );
      it.set({ culprit: 'B', breaks, unskipped: 1 });
      // A listing made a moment ago is reused.
      for (; it.said.length < 2; await pause(5))
        if (
          !isDeepStrictEqual(
            (await list(it)).map(({ id }) => id),
            ids,
          )
        )
          t.fail('a known source is not listed');
      const before = started;
      t.strictSame(
        (await list(it)).map(({ id }) => id),
        ids,
      );
      if (breaks === 'hang') t.equal(started, before, 'the manager is not asked again');
    }
  },
);

t.test('quarantine: a listing is abandoned while a manager is busy, no source is blamed', async t => {
  const it = await body({ sources64: 'A,B', culprit: 'B', breaks: 'hang' });
  t.teardown(it.dispose);
  const gaveUp = new AbortController();
  const listing = (async () => {
    for await (const _ of it.driver.devices({ signal: gaveUp.signal }));
  })();
  setTimeout(() => gaveUp.abort(new Error('enough')), 100);
  await t.rejects(listing, { message: 'enough' });
  t.strictSame(it.said, []);
  it.set({ culprit: undefined });
  t.match(await list(it), [{ id: 'A' }, { id: 'B' }]);
});

t.test('watch: a source is installed, the next listing has it and tries a skipped one again', async t => {
  const folder = t.testdir({ twain_64: { vendor: {} } });
  const it = await body(
    { sources64: 'A,B', culprit: 'B' },
    { folders: [join(folder, 'twain_64'), join(folder, 'twain_32')] },
  );
  t.teardown(it.dispose);
  t.match(
    (await list(it)).map(({ id }) => id),
    ['A'],
  );
  it.set({ sources64: 'A,B,C', culprit: undefined });
  let told = false;
  t.teardown(it.driver.watch!(() => (told = true)));
  // The watch may begin a moment later, and it waits for a pause in the installation.
  for (let i = 0; !told; i++, await pause(4000)) await writeFile(join(folder, 'twain_64', 'vendor', `${i}.ds`), '');
  t.strictSame(
    (await list(it)).map(({ id }) => id),
    ['A', 'B', 'C'],
  );
});
