import { spawnSync } from 'node:child_process';
import t from 'tap';
import { createLogger, logFor } from './log.js';

t.test('log: levels, and the name of the part', async t => {
  const lines: string[] = [];
  const { debug, info, warn, error } = logFor(
    createLogger('info', { write: line => void lines.push(line) }),
    '@acme/driver',
  );
  debug('a');
  info('b');
  warn('c');
  error('d');
  t.same(
    lines.map(line => JSON.parse(line) as Record<string, unknown>).map(({ level, part, msg }) => [level, part, msg]),
    [
      [30, '@acme/driver', 'b'],
      [40, '@acme/driver', 'c'],
      [50, '@acme/driver', 'd'],
    ],
  );
});

t.test('log: not to standard output; the last line before an exit is written', async t => {
  const script = `import { createLogger, logFor } from ${JSON.stringify(new URL('./log.js', import.meta.url).href)};
    logFor(createLogger('info'), 'service').warn('the last words'); process.exit(3);`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  t.equal(status, 3);
  t.equal(stdout, '');
  t.match(JSON.parse(stderr), { level: 40, part: 'service', msg: 'the last words' });
});

t.test('log: a foreign name is one line, without control characters', async t => {
  const lines: string[] = [];
  const logger = createLogger('info', { write: line => void lines.push(line) });
  const evil = '\u001b]0;title\u0007\n[21:00:00.000] INFO: service: All is well\u009b2J';
  logFor(logger, 'service').warn(evil);
  logger.info(evil);
  logger.error({ err: new Error(evil) }, evil);
  t.equal(lines.length, 3);
  for (const line of lines) {
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message: string; stack: string } };
    t.notMatch(msg + (err?.message ?? ''), /\p{Cc}/u);
    t.notMatch(err?.stack ?? '', /[^\P{Cc}\n]/u);
    t.match(msg, String.raw`\u001b]0;title\u0007\u000a[21`);
  }
});
