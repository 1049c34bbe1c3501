import { recordingLog } from '@platen/conformance';
import { onceLog } from '@platen/driver-kit';
import t from 'tap';

t.test('each sentence once, until something has changed', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  for (let i = 0; i < 3; i++) {
    once.warn('a');
    once.info('b');
    once.error('c');
  }
  t.same(log.lines, ['warn: a', 'info: b', 'error: c']);
  once.again();
  once.warn('a');
  t.equal(log.lines.length, 4);
});

t.test('somebody who always has another word is not listened to without end', async t => {
  const log = recordingLog('info');
  const once = onceLog(log);
  for (let i = 0; i < 1000; i++) once.warn(`word ${i}`);
  t.equal(log.lines.length, 50);
});
