/** Enter on a pipe, on a terminal, and on an input that is at its end. */
import { PassThrough, Readable } from 'node:stream';
import { setImmediate as breathe } from 'node:timers/promises';
import t from 'tap';
import { enterKey } from './enterKey.js';

/** A pipe or a terminal: it may stay silent, and does not hold the process up. */
const silent = (more: object = {}) => Object.assign(new PassThrough(), { unref: () => undefined, ...more });

t.test('enter: each line feed of a pipe counts once, also one that came before the question', async t => {
  const input = silent();
  const key = enterKey(input);
  input.write('yes\n\n');
  t.ok(await key.isThere());
  t.ok(await key.pressed());
  t.ok(await key.pressed());
  const third = key.pressed();
  input.write('no line feed');
  await breathe();
  input.write('\r\n');
  t.ok(await third);
  const fourth = key.pressed();
  input.end('x');
  t.notOk(await fourth, 'the input ended without it');
  t.notOk(await key.pressed());
  t.notOk(await key.isThere());
});

t.test('enter: a line feed before the end of the input counts', async t => {
  const key = enterKey(Readable.from([Buffer.from('\n')]) as PassThrough);
  t.ok(await key.isThere());
  t.ok(await key.pressed());
  t.notOk(await key.pressed());
});

t.test('enter: an input that is at its end, as the null device', async t => {
  t.notOk(await enterKey(Readable.from([])).isThere());
  const failing = new PassThrough();
  const key = enterKey(failing);
  failing.destroy(new Error('EIO'));
  t.notOk(await key.isThere());
});

t.test('enter: on a terminal, what was typed before the question does not count', async t => {
  const input = silent({ isTTY: true });
  const key = enterKey(input);
  input.write('\n\n');
  await breathe();
  const pressed = key.pressed();
  const first = await Promise.race([pressed, breathe('waits')]);
  t.equal(first, 'waits');
  input.write('\n');
  t.ok(await pressed);
});

t.test('enter: a closed one reads no further', async t => {
  const input = silent();
  const key = enterKey(input);
  key.close();
  t.ok(input.isPaused());
  t.same([input.listenerCount('data'), input.listenerCount('end')], [0, 0]);
});
