/** onceLog and quietLog: repeated messages are logged once, warnings at level debug. */
import { recordingLog } from '@platen/conformance';
import t from 'tap';
import { onceLog, quietLog } from './logs.js';

t.test('onceLog: a message, logged once until again(), which returns whether any was logged', async t => {
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

t.test('onceLog: after 50 different messages, further ones are logged at level debug', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  for (let i = 0; i < 1000; i++) once.warn(`word ${i}`);
  t.equal(log.lines.length, 50);
});

t.test('onceLog: a message passed to told(), not logged, counts as logged', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  once.told('a');
  once.warn('a');
  t.same(log.lines, []);
  t.equal(once.again(), true);
});

t.test('quietLog: a warning, logged at level debug', async t => {
  const log = recordingLog('debug');
  quietLog(log).warn('a');
  t.same(log.lines, ['debug: a']);
});
