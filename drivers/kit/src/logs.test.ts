/** Sentences that are said once. */
import { recordingLog } from '@platen/conformance';
import t from 'tap';
import { onceLog, quietLog } from './logs.js';

t.test('onceLog: a sentence is said once, until again(), which says whether there was one', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  for (let i = 0; i < 3; i++) {
    once.warn('a');
    once.info('b');
    once.error('c');
  }
  t.same(log.lines, ['warn: a', 'info: b', 'error: c']);
  t.equal(once.again(), true);
  t.equal(once.again(), false);
  once.warn('a');
  t.equal(log.lines.length, 4);
});

t.test('onceLog: more than 50 different sentences go to the debugging level', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  for (let i = 0; i < 1000; i++) once.warn(`word ${i}`);
  t.equal(log.lines.length, 50);
});

t.test('onceLog: what was told elsewhere is not said, and counts as said', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  once.told('a');
  once.warn('a');
  t.same(log.lines, []);
  t.equal(once.again(), true);
});

t.test('quietLog: warnings go to the debugging level', async t => {
  const log = recordingLog('debug');
  quietLog(log).warn('a');
  t.same(log.lines, ['debug: a']);
});
