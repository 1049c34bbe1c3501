/** The tables in the README and in docs/twain.md match the code. */
import { readFileSync } from 'node:fs';
import { defaultsOf, pairsOf } from '@platen/conformance';
import t from 'tap';
import { asScanError, conditions, opening, Refusal } from './protocol/conditions.js';
import { RC } from './protocol/constants.js';
import { optionsSchema } from './settings.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/twain.md', import.meta.url), 'utf8');

t.test('README: the table of options, matches the schema', async t => {
  t.strictSame(pairsOf(readme, 'Options'), defaultsOf(optionsSchema));
  for (const [name, { description }] of Object.entries(optionsSchema.properties)) t.ok(description.length > 20, name);
});

t.test('docs/twain.md: the table of conditions, matches the code', async t => {
  t.strictSame(
    pairsOf(page, 'Conditions'),
    Object.fromEntries(Object.values(conditions).map(({ name, code }) => [name, code])),
  );
  for (const { name, code } of Object.values(opening))
    t.match(
      page,
      `| \`${name}\` | ${conditions[name === 'BUMMER' ? 1 : 5]!.code} | while a source is opened: \`${code}\` |`,
    );
});

t.test('asScanError: refusals, statuses and other errors, get a code and a message', async t => {
  const meant = (error: unknown, isOpen = true) => asScanError(error, 'A', isOpen);
  const status = (word: string) => Object.assign(new Error('said the helper'), { status: word });
  t.match(meant(new Refusal('ENABLEDS', RC.FAILURE, 20)), {
    code: 'paper-jam',
    message: '"A" has a paper jam (TWAIN: ENABLEDS: return code 1, condition code 20 (PAPERJAM)).',
  });
  t.match(meant(new Refusal('OPENDS', RC.FAILURE, 5), false), { code: 'device-offline' });
  t.match(meant(new Refusal('OPENDS', RC.FAILURE, 3), false), { code: 'device-not-found' });
  t.match(
    meant(new Refusal('ENABLEDS', RC.FAILURE, 0x8001)),
    { code: 'driver-failed', message: /condition code 32769/ },
    'a vendor’s condition',
  );
  t.match(meant(new Refusal('IMAGENATIVEXFER', RC.CANCEL, 0)), { code: 'cancelled' });
  t.match(meant(new Refusal('ENABLEDS', RC.BUSY, 0)), { code: 'busy' });
  t.match(meant(new Refusal('ENABLEDS', RC.SCANNERLOCKED, 0)), { code: 'busy' });
  t.match(meant(status('NODSM')), { code: 'driver-failed', message: /TWAIN is not installed/ });
  t.match(meant(status('TOOBIG')), { code: 'unsupported' });
  t.match(meant(status('STATE')), { code: 'driver-failed' });
  t.match(meant(new Error('mine')), { code: 'driver-failed' });
  t.match(meant(Object.assign(new Error('theirs'), { code: 'timeout' })), { code: 'timeout', message: 'theirs' });
});
