/** Helper: a supervised C program built with the drivers' header; calls, bands, values, errors, cancelling. */
import { mock } from 'node:test';
import t, { type Test } from 'tap';
import { codeOf, messageOf } from '@platen/core/plugin';
import type { HelperCall } from './helperTypes.js';
import { HelperError } from './helperError.js';
import { buildFixture, longDeadline, testHelper } from './helper.test.kit.js';

const command = buildFixture(t);

const isPage = (page: Uint8Array): boolean => page.every((byte, i) => byte === i % 251);

if (command) {
  void t.test('helper: several first calls, start one program', async t => {
    const helper = testHelper(t, { command });
    t.equal(helper.generation, 0);
    const pids = await Promise.all([helper.pid(), helper.pid(), helper.pid()]);
    t.equal(new Set(pids).size, 1);
    t.equal(helper.generation, 1);
  });

  void t.test('helper: requests with every kind of value, arrive unchanged', async t => {
    const helper = testHelper(t, { command });
    const args = {
      text: 'Bürogerät "ß" \\ / \n\t\u0001 漢 😀',
      empty: '',
      lone: '\ud800',
      yes: true,
      no: false,
      nothing: null,
      zero: 0,
      negative: -17,
      fraction: 215.9,
      small: 1.5e-7,
      large: 4294967295,
      'key with "quotes"': 1,
    };
    const { header } = await helper.call('echo', args, longDeadline);
    t.strictSame(header['args'], { ...args, lone: '\ufffd' });
    t.strictSame((await helper.call('echo', {}, longDeadline)).header['args'], {});
  });

  void t.test(
    'helper: answers with every kind of value, arrive; text that is not UTF-8 is read as Latin-1',
    async t => {
      const helper = testHelper(t, { command });
      const { header, data } = await helper.call('build', {}, longDeadline);
      t.match(header, { latin: 'Büro\u0080 "\\\n\u0001', utf8: 'Büro 漢 😀', surrogate: 'í\u00a0\u0080', none: '' });
      t.strictSame(header['list'], [215.9, -1e-7, 4294967295, null, { no: false }, []]);
      t.equal(Buffer.from(data).toString(), 'data');
    },
  );

  for (const key of ['id', 'more', 'ok', 'error']) {
    void t.test(`helper: an answer with a field "${key}", refused by name; the helper continues`, async t => {
      const helper = testHelper(t, { command });
      for (const more of [false, true]) {
        const error = await helper.call('reserved', { key, more }, longDeadline).catch((thrown: unknown) => thrown);
        t.match(error, { name: 'HelperError', status: 'RESERVED_KEY' });
        t.match(messageOf(error), `"reserved" has a field "${key}"`);
      }
      const { header } = await helper.call('reserved', { key, deep: true }, longDeadline);
      t.strictSame(header['device'], { [key]: 'flatbed:1' }, 'deeper down, every name is free');
      t.equal(helper.generation, 1);
      await helper.close();
      t.match(helper.logged.join('\n'), `"reserved" has a field "${key}"`);
    });
  }

  void t.test('helper: a header or a message over the limit, an error or cut off; the helper continues', async t => {
    const helper = testHelper(t, { command });
    const text = '"'.repeat(20_000); // six characters each in its answer
    const error = await helper.call('echo', { text }, longDeadline).catch((thrown: unknown) => thrown);
    t.match(error, { name: 'HelperError', status: 'HEADER_TOO_LONG' });
    t.match(messageOf(error), /"echo" has a header of \d+ bytes, at most 65536/);
    const statusOfFailed = (verb: string, args: object): Promise<unknown> =>
      helper.call(verb, args, longDeadline).catch((thrown: unknown) => (thrown as { status?: unknown }).status);
    t.equal(await statusOfFailed('refuse', { status: 'INVAL', message: text }), 'INVAL');
    t.equal(await statusOfFailed(text, {}), 'UNKNOWN_VERB');
    t.equal(helper.generation, 1);
  });

  void t.test('helper: a page, arrives in bands, in order, each at its place', async t => {
    const helper = testHelper(t, { command });
    const bytes = 2_500_001;
    const page = new Uint8Array(bytes);
    const seen: unknown[] = [];
    const last = await helper.call(
      'page',
      { bytes, band: 1_000_000 },
      {
        ...longDeadline,
        place: ({ at }, length) => page.subarray(Number(at), Number(at) + length),
        onMore: ({ header, data }) => void seen.push([header['at'], data.length, data.buffer === page.buffer]),
      },
    );
    t.strictSame(seen, [
      [0, 1_000_000, true],
      [1_000_000, 1_000_000, true],
      [2_000_000, 500_001, true],
    ]);
    t.ok(isPage(page));
    t.equal(last.header['ok'], true);
  });

  void t.test('helper: a slow driver, pauses the program and does not count as its hang', async t => {
    const helper = testHelper(t, { command });
    await helper.pid();
    const pass = ownTime(t);
    const order: string[] = [];
    const begun: Promise<unknown>[] = [];
    await helper.call(
      'page',
      { bytes: 200, band: 100 },
      {
        ...longDeadline,
        onMore: async ({ header }) => {
          order.push(`begin ${String(header['at'])}`);
          begun.push(helper.call('echo', {}, longDeadline));
          await new Promise(setImmediate); // the call of this function has returned
          await pass(2 * longDeadline.deadlineMs);
          order.push(`end ${String(header['at'])}`);
        },
      },
    );
    await Promise.all(begun);
    t.strictSame(order, ['begin 0', 'end 0', 'begin 100', 'end 100']);
    t.equal(helper.generation, 1);
  });

  void t.test('helper: a long page that keeps coming, does not exceed the deadline, which counts silence', async t => {
    const helper = testHelper(t, { command });
    await helper.pid();
    const pass = ownTime(t);
    const onMore = () => void pass(longDeadline.deadlineMs - 1);
    await helper.call('page', { bytes: 8, band: 1, pause: 1 }, { ...longDeadline, onMore });
    t.equal(helper.generation, 1);
  });

  void t.test("helper: an error, has the vendor's status and no code", async t => {
    const helper = testHelper(t, { command });
    const error = await helper
      .call('refuse', { status: 'JAMMED', message: 'Document feeder jammed' }, longDeadline)
      .catch((thrown: unknown) => thrown);
    t.ok(error instanceof HelperError);
    t.match(error, { status: 'JAMMED', message: 'Document feeder jammed' });
    t.equal(codeOf(error), undefined);
    await t.rejects(helper.call('dance', {}, longDeadline), { status: 'UNKNOWN_VERB', message: 'dance' });
    t.equal(helper.generation, 1, 'the program continues');
  });

  void t.test('helper: an urgent verb, runs while another is pending', async t => {
    const helper = testHelper(t, { command });
    const page = helper.call(
      'page',
      { bytes: 1e6, band: 1, pause: 5 },
      { ...longDeadline, onMore: cancelOnce(() => helper.call('cancel', {}, longDeadline)) },
    );
    await t.rejects(page, { message: 'it was cancelled', status: 'CANCELLED' });
    t.equal(helper.generation, 1);
  });

  void t.test('helper: an aborted call, rejects at once with its reason; later frames of it are dropped', async t => {
    const helper = testHelper(t, { command });
    const abort = new AbortController();
    const reason = new Error('enough');
    const page = helper.call(
      'page',
      { bytes: 1e6, band: 1, pause: 5 },
      { ...longDeadline, signal: abort.signal, onMore: () => abort.abort(reason) },
    );
    t.equal(await page.catch((thrown: unknown) => thrown), reason);
    await helper.call('cancel', {}, longDeadline);
    await helper.pid();
    t.equal(helper.generation, 1);
    t.equal(
      await helper.call('pid', {}, { ...longDeadline, signal: abort.signal }).catch((thrown: unknown) => thrown),
      reason,
      'aborted before it began',
    );
  });

  void t.test('helper: aborted while a driver never finishes a frame, the program continues', async t => {
    const helper = testHelper(t, { command });
    const abort = new AbortController();
    const page = helper.call(
      'page',
      { bytes: 2, band: 1 },
      {
        ...longDeadline,
        signal: abort.signal,
        onMore: () => {
          setImmediate(() => abort.abort());
          return new Promise<never>(() => undefined);
        },
      },
    );
    await t.rejects(page, { name: 'AbortError' });
    t.ok(await helper.pid());
  });

  const mistakes: [title: string, call: Partial<HelperCall>, message: RegExp][] = [
    [
      'onMore throws',
      {
        onMore: () => {
          throw new Error('no room');
        },
      },
      /no room/,
    ],
    [
      'onMore rejects',
      {
        onMore: async () => {
          throw new Error('no room');
        },
      },
      /no room/,
    ],
    [
      'place throws',
      {
        place: () => {
          throw new Error('no room');
        },
      },
      /no room/,
    ],
    ['place gives too little', { place: () => new Uint8Array(2) }, /place of 2 bytes for 50/],
  ];
  for (const [title, call, message] of mistakes) {
    void t.test(`helper: ${title}, the call rejects and the program continues`, async t => {
      const helper = testHelper(t, { command });
      await t.rejects(helper.call('page', { bytes: 200, band: 50 }, { ...longDeadline, ...call }), message);
      t.ok(await helper.pid());
      t.equal(helper.generation, 1);
    });
  }

  void t.test("helper: a vendor's output, goes to the log and not into the frames; stdin is empty", async t => {
    const helper = testHelper(t, { command });
    await helper.call('say', { text: 'one\ntwo' }, longDeadline);
    await helper.close();
    const said = helper.logged.filter(line => line.startsWith('debug: fixture: '));
    for (const line of [
      'a vendor prints to stdout',
      'one',
      'two',
      'stdin is empty',
      'the service is gone',
      'everything is closed',
    ]) {
      t.ok(said.includes(`debug: fixture: ${line}`), line);
    }
  });

  void t.test('helper: a call with a generation, starts no other program', async t => {
    const helper = testHelper(t, { command });
    await t.rejects(helper.call('pid', {}, { ...longDeadline, generation: 0 }), { code: 'driver-failed' });
    t.equal(helper.generation, 0);
    await helper.pid();
    await helper.call('pid', {}, { ...longDeadline, generation: 1 });
    helper.kill('for the test');
    const error = await helper.call('pid', {}, { ...longDeadline, generation: 1 }).catch((thrown: unknown) => thrown);
    t.equal(codeOf(error), 'driver-failed');
    t.match(messageOf(error), /replaced after this call began/);
    t.equal(helper.generation, 1);
  });
}

/** Stops the clock of `setTimeout`. @returns lets that time pass, and the helper judge what it means */
function ownTime(t: Test): (ms: number) => Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  return async ms => {
    mock.timers.tick(ms);
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  };
}

function cancelOnce(cancel: () => Promise<unknown>): () => void {
  let asked = false;
  return () => {
    if (!asked) void cancel();
    asked = true;
  };
}
