/** The tables of the README and of docs/network-scanners.md match the code. */
import { readFileSync } from 'node:fs';
import { defaultsOf, pairsOf, tableOf } from '@platen/conformance';
import t from 'tap';
import { adfStates } from './protocol/adfStates.js';
import { quirkTable } from './protocol/quirkTable.js';
import { optionsSchema } from './options.js';
import { jobStatuses, meaningOf, pageStatuses } from './http/httpStatuses.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const page = readFileSync(new URL('../../../docs/network-scanners.md', import.meta.url), 'utf8');

t.test('README: options', async t => {
  t.strictSame(pairsOf(readme, 'Options'), defaultsOf(optionsSchema));
  for (const [name, { description }] of Object.entries(optionsSchema.properties)) t.ok(description.length > 20, name);
});

t.test('network scanners page: HTTP statuses', async t => {
  const rows = [
    ['POST', jobStatuses],
    ['GET', pageStatuses],
  ] as const;
  const codes = rows.flatMap(([verb, table]) =>
    Object.entries(table).map(([status, { code }]) => [`${verb} ${status}`, code]),
  );
  t.strictSame(
    tableOf(page, 'Statuses').map(row => row.slice(0, 2)),
    codes,
  );
  t.match(meaningOf(pageStatuses, 418), { code: 'driver-failed' });
  t.match(meaningOf(pageStatuses, 307), { code: 'driver-failed' });
});

t.test('network scanners page: AdfState', async t => {
  t.strictSame(
    tableOf(page, 'Feeder states').map(row => row.slice(0, 3)),
    Object.entries(adfStates).map(([state, { code = 'none', paper }]) => [state, code, paper]),
  );
});

t.test('network scanners page: quirks', async t => {
  for (const { device } of quirkTable) t.ok(page.includes(`| ${device.replace(/,.*/, '')} |`), device);
});
