/** The README and docs/macos.md match the code. */
import { readFileSync } from 'node:fs';
import { defaultsOf, pairsOf } from '@platen/conformance';
import t from 'tap';
import { deadlines, optionsSchema } from './settings.js';
import { asScanError, meanings } from './statuses.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/macos.md', import.meta.url), 'utf8');
/** The page's text on one line. */
const prose = page.replaceAll(/\s+/g, ' ');

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

t.test('the deadlines', async t => {
  const { look, open, ready, select, close, cancel, settle } = deadlines;
  const seconds = [look, open, ready, select, close].map(ms => ms / 1000);
  t.match(
    prose,
    `looking for the scanner ${seconds[0]} s, open ${seconds[1]} s, ready ${seconds[2]} s, select ${seconds[3]} s, close ${seconds[4]} s`,
  );
  t.match(prose, `react within ${cancel / 1000} s`);
  t.match(prose, `cancelled after ${settle / 1000} s`);
  t.ok(cancel < 2000, 'core waits for two seconds');
});

t.test('statuses: an unknown code, quoted in the message', async t => {
  const status = Object.assign(new Error('Wörter'), { status: '-1' });
  t.match(asScanError(status, 'A'), { code: 'driver-failed', message: '"A" failed (macOS: Wörter, -1).' });
  t.match(asScanError(new Error('mine'), 'A'), { code: 'driver-failed', message: 'mine' });
});
