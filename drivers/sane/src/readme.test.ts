/** README and docs/linux.md: their tables match the code. */
import { readFileSync } from 'node:fs';
import { defaultsOf, pairsOf } from '@platen/conformance';
import t from 'tap';
import { optionsSchema } from './settings.js';
import { asScanError, meanings } from './statuses.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/linux.md', import.meta.url), 'utf8');

t.test('the options', async t => {
  t.strictSame(pairsOf(readme, 'Options'), defaultsOf(optionsSchema));
  for (const [name, { description }] of Object.entries(optionsSchema.properties)) t.ok(description.length > 20, name);
});

t.test('the statuses', async t => {
  t.strictSame(
    pairsOf(page, 'Statuses'),
    Object.fromEntries(Object.entries(meanings).map(([status, { code }]) => [status, code])),
  );
});

t.test('statuses: an unknown one, and one with another meaning at opening', async t => {
  const status = (word: string) => Object.assign(new Error('said SANE'), { status: word });
  t.match(asScanError(status('STATUS_14'), 'A', true), {
    code: 'driver-failed',
    message: '"A" failed (SANE: said SANE).',
  });
  t.match(asScanError(status('INVAL'), 'A', false), { code: 'device-not-found' });
  t.match(asScanError(status('INVAL'), 'A', true), { code: 'unsupported' });
  t.match(
    asScanError(new Error('mine'), 'A', true),
    { code: 'driver-failed', message: 'mine' },
    'any other thrown value gets a code, too',
  );
});
