/** Helper: breaks the protocol, cannot start or does not end; the call's error says so, and the next call starts another. */
import { chmodSync } from 'node:fs';
import t from 'tap';
import { failureOf, faultyHelper, isAlive, longDeadline, testHelper, untilGone } from './helper.test.kit.js';

const own = `"id", "more", "ok" and "error" are the frame's own keys: name the answer's fields differently`;

const lies: [fault: string, message: string][] = [
  ['garbage', "sent an invalid frame (a frame's header of 1835492691 bytes is over the limit of 65536) and was killed"],
  [
    'hugeHeader',
    "sent an invalid frame (a frame's header of 4294967280 bytes is over the limit of 65536) and was killed",
  ],
  [
    'hugeData',
    "sent an invalid frame (a frame's data of 4294967280 bytes is over the limit of 4194304) and was killed",
  ],
  ['notJson', "sent an invalid frame (a frame's header is not JSON) and was killed"],
  ['list', "sent an invalid frame (a frame's header is not a JSON object) and was killed"],
  ['noId', `sent an invalid frame (it has no "id", which answers no call; ${own}) and was killed`],
  ['foreignId', `sent an invalid frame (its "id" is 99, which answers no call; ${own}) and was killed`],
  ['vendorsId', `sent an invalid frame (its "id" is "flatbed:1", which answers no call; ${own}) and was killed`],
  ['twoEnds', `sent an invalid frame (it has "more" and "ok", and ${own}) and was killed`],
  [
    'neither',
    `sent an invalid frame (it has none of "more": true, "ok": true and "error": {…}, and ${own}) and was killed`,
  ],
  ['torn', 'sent an invalid frame (the stream ended in the middle of a frame) and was killed'],
  ['noHello', 'sent an invalid frame (it is not a hello) and was killed'],
  ['exit3', 'ended with code 3'],
  ['closesOutput', 'closed its output and was killed'],
  ['exitAtStart', 'ended with code 127 before it said hello: error while loading shared libraries: libsane.so.1'],
  ['otherProtocol', 'speaks protocol 2, and this version of Platen speaks 1. Build it.'],
];
/** Of each way to end one: a lie, an end of its own, a closed output. A call after the others starts one in the same way. */
const startsAnother: readonly string[] = ['garbage', 'torn', 'exit3', 'closesOutput', 'exitAtStart'];

for (const [fault, message] of lies) {
  void t.test(`helper: ${fault}, the error names the fault`, async t => {
    const helper = faultyHelper(t, fault, { repair: 'Build it.', ...(fault === 'closesOutput' && { exitMs: 200 }) });
    const exits: number[] = [];
    helper.onExit(() => exits.push(helper.generation));
    const generations = startsAnother.includes(fault) ? [1, 2] : [1];
    for (const generation of generations) {
      t.equal(await failureOf(helper.call('scan', {}, longDeadline)), `driver-failed: the helper "fixture" ${message}`);
      t.equal(helper.generation, generation);
    }
    await helper.close();
    t.strictSame(exits, generations);
  });
}

void t.test('helper: says nothing at its start, killed', async t => {
  const helper = faultyHelper(t, 'silent', { startMs: 300 });
  t.equal(
    await failureOf(helper.call('scan', {}, longDeadline)),
    'driver-failed: the helper "fixture" did not say hello within 300 ms and was killed',
  );
});

void t.test('helper: an abort while it starts, rejected at once', async t => {
  const helper = faultyHelper(t, 'silent', { exitMs: 100 });
  const reason = new Error('enough');
  const abort = new AbortController();
  const call = helper.call('scan', {}, { ...longDeadline, signal: abort.signal }).catch((error: unknown) => error);
  setImmediate(() => abort.abort(reason));
  t.equal(await call, reason);
});

void t.test('helper: ignores the end of its stdin, killed by close', async t => {
  const helper = faultyHelper(t, 'deafToTheEnd', { exitMs: 200 });
  const pid = Number((await helper.call('scan', {}, longDeadline)).header['pid']);
  t.ok(isAlive(pid));
  await helper.close();
  await untilGone(pid); // the system may take its time
});

void t.test('helper: an error without a status, gets one', async t => {
  await t.rejects(faultyHelper(t, 'statusless', { exitMs: 200 }).call('scan', {}, longDeadline), {
    name: 'HelperError',
    status: 'UNKNOWN',
  });
});

void t.test('helper: a missing or invalid program, the error gives the fix', async t => {
  const folder = t.testdir({ program: 'no magic number', text: 'not executable' });
  chmodSync(`${folder}/program`, 0o755);
  const failure = (name: string): Promise<string> =>
    failureOf(testHelper(t, { command: `${folder}/${name}`, repair: 'Build it.' }).call('scan', {}, longDeadline));
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
  await failureOf(twice.call('scan', {}, longDeadline));
  t.match(await failureOf(twice.call('scan', {}, longDeadline)), /there is no program/);
  await twice.close();
});
