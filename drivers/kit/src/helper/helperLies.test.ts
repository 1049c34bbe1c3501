/** Helpers that break the protocol, cannot be started or do not end: the call says so in a sentence, and the next one starts anew. */
import { chmodSync } from 'node:fs';
import t from 'tap';
import { failureOf, faultyHelper, isAlive, patient, testHelper } from './helper.test.kit.js';

const lies: [fault: string, message: string][] = [
  [
    'garbage',
    "sent a frame that cannot be taken (a frame's header of 1835492691 bytes is over the limit of 65536) and was killed",
  ],
  [
    'hugeHeader',
    "sent a frame that cannot be taken (a frame's header of 4294967280 bytes is over the limit of 65536) and was killed",
  ],
  [
    'hugeData',
    "sent a frame that cannot be taken (a frame's data of 4294967280 bytes is over the limit of 4194304) and was killed",
  ],
  ['notJson', "sent a frame that cannot be taken (a frame's header is not JSON) and was killed"],
  ['list', "sent a frame that cannot be taken (a frame's header is not a JSON object) and was killed"],
  ['noId', 'sent a frame that cannot be taken (it is the answer to nothing) and was killed'],
  ['foreignId', 'sent a frame that cannot be taken (it is the answer to nothing) and was killed'],
  ['neither', 'sent a frame that cannot be taken (it is neither "more" nor "ok" nor an error) and was killed'],
  ['torn', 'sent a frame that cannot be taken (the stream ended in the middle of a frame) and was killed'],
  ['noHello', 'sent a frame that cannot be taken (it is no hello) and was killed'],
  ['exit3', 'ended with code 3'],
  ['closesOutput', 'closed its output and was killed'],
  ['exitAtStart', 'ended with code 127 before it said hello: error while loading shared libraries: libsane.so.1'],
  ['otherProtocol', 'speaks protocol 2, and this version of Platen speaks 1. Build it.'],
];
for (const [fault, message] of lies) {
  void t.test(`a helper with a fault: ${fault}`, async t => {
    const helper = faultyHelper(t, fault, { repair: 'Build it.', ...(fault === 'closesOutput' && { exitMs: 200 }) });
    const exits: number[] = [];
    helper.onExit(() => exits.push(helper.generation));
    for (const generation of [1, 2]) {
      t.equal(await failureOf(helper.call('scan', {}, patient)), `driver-failed: the helper "fixture" ${message}`);
      t.equal(helper.generation, generation);
    }
    await helper.close();
    t.strictSame(exits, [1, 2]);
  });
}

void t.test('a helper that says nothing at its start is killed', async t => {
  const helper = faultyHelper(t, 'silent', { startMs: 300 });
  t.equal(
    await failureOf(helper.call('scan', {}, patient)),
    'driver-failed: the helper "fixture" said no hello within 300 ms and was killed',
  );
});

void t.test('an abort while it starts rejects at once', async t => {
  const helper = faultyHelper(t, 'silent', { exitMs: 100 });
  const reason = new Error('enough');
  const abort = new AbortController();
  const call = helper.call('scan', {}, { ...patient, signal: abort.signal }).catch((error: unknown) => error);
  setImmediate(() => abort.abort(reason));
  t.equal(await call, reason);
});

void t.test('a helper that ignores the end of its stdin is killed by close', async t => {
  const helper = faultyHelper(t, 'deafToTheEnd', { exitMs: 200 });
  const pid = Number((await helper.call('scan', {}, patient)).header['pid']);
  t.ok(isAlive(pid));
  await helper.close();
  t.notOk(isAlive(pid));
});

void t.test('an error without a status has one', async t => {
  await t.rejects(faultyHelper(t, 'statusless', { exitMs: 200 }).call('scan', {}, patient), {
    name: 'HelperError',
    status: 'UNKNOWN',
  });
});

void t.test('a program that is not there, or is none, is a sentence with the repair', async t => {
  const folder = t.testdir({ program: 'no magic number', text: 'not executable' });
  chmodSync(`${folder}/program`, 0o755);
  const failure = (name: string): Promise<string> =>
    failureOf(testHelper(t, { command: `${folder}/${name}`, repair: 'Build it.' }).call('scan', {}, patient));
  t.equal(
    await failure('missing'),
    `driver-failed: the helper "fixture" cannot be started: there is no program ${folder}/missing. Build it.`,
  );
  t.match(await failure('text'), /^driver-failed: the helper "fixture" cannot be started: spawn .*EACCES. Build it.$/);
  t.match(
    await failure('program'),
    /^driver-failed: the helper "fixture" (?:cannot be started: spawn .*. Build it.|ended with code .* before it said hello.*)$/,
  );
  const twice = testHelper(t, { command: `${folder}/missing` });
  await failureOf(twice.call('scan', {}, patient));
  t.match(await failureOf(twice.call('scan', {}, patient)), /there is no program/);
  await twice.close();
});
