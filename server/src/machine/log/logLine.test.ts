/** The log as a person reads it. */
import t from 'tap';
import { createLogger, logFor } from './log.js';
import { readable } from './logLine.js';

const logged = (log: (logger: ReturnType<typeof createLogger>) => void): string => {
  const lines: string[] = [];
  log(createLogger('debug', { write: line => void lines.push(readable(line, false)) }));
  return lines.join('');
};

t.test('readable: time, level, part and message', async t => {
  const text = logged(logger => {
    logFor(logger, '@acme/driver').warn('a cover is open');
    logger.child({ reqId: 'req-1' }).debug('GET / 200 1 ms');
  });
  t.match(
    text,
    /^\[\d\d:\d\d:\d\d\] WARN: @acme\/driver: a cover is open\n\[\d\d:\d\d:\d\d\] DEBUG: GET \/ 200 1 ms\n$/,
  );
});

t.test('readable: an error, its stack under the message, indented', async t => {
  const text = logged(logger => logger.error({ err: new Error('no paper') }, 'GET / failed'));
  t.match(text, /ERROR: GET \/ failed\n {4}Error: no paper\n {8}at /);
  t.ok(text.endsWith('\n'));
});

t.test('readable: fields without a place of their own, kept', async t => {
  t.match(
    logged(logger => logger.info({ port: 53052 }, 'listens')),
    /INFO: listens\n {4}\{"port":53052\}\n$/,
  );
});

t.test('readable: the level, colored', async t => {
  const line = '{"level":50,"time":"2026-01-01T00:00:00.000Z","msg":"a"}';
  t.match(readable(line, true), '\u001b[31mERROR\u001b[39m: a\n');
});
