import { lacking } from '@platen/conformance';
import t from 'tap';
import { cellsOf, reportOf, reportPart } from './report.js';
import { resultsOf, type Group, type Plan } from './row.js';

const plan: Plan = {
  what: 'ten pages',
  peer: '`scanimage`',
  unit: 'ms',
  wanted: { sign: '≤', value: 0.95 },
  checked: 'pixels',
};
const bench = { folder: '/nowhere', files: async () => [], say() {} };
const group = (program: string, measure: Group<'ten'>['measure']): Group<'ten'> => ({
  needs: ['scanimage'],
  rows: { ten: plan },
  measure,
});

t.test('a row with a peer: the ratio is the median of the rounds, with its spread', async t => {
  const taking = { ours: [100, 90, 400], theirs: [100, 100, 500] };
  t.same(cellsOf({ ...plan, taking }), [
    'ten pages',
    '`scanimage`',
    'ms',
    '100 (90 to 400)',
    '100 (100 to 500)',
    '0.90 (0.80 to 1.00)',
    '≤ 0.95: met',
    'pixels',
  ]);
});

t.test('a row with a budget: its own value is judged', async t => {
  const { peer: _, ...budget } = plan;
  const row = { ...budget, unit: 's', digits: 2, wanted: { sign: '≤', value: 0.7 } } as const;
  t.same(cellsOf({ ...row, taking: { ours: [0.8] } }).slice(1, 7), [
    '',
    's',
    '0.80 (0.80 to 0.80)',
    '',
    '',
    '≤ 0.7: missed',
  ]);
});

t.test('a program that is missing: its rows say so, and nothing is measured', async t => {
  const never = group('scanimage', async () => t.fail('it was measured') as never);
  const results = await resultsOf(never, bench, program => `needs ${program}, which this machine does not have`);
  const report = reportOf('2 cores.', results);
  t.match(report, /^2 cores\.\n\n\| {2}\| beside \|/);
  t.match(report, '| needs scanimage, which this machine does not have |');
  t.match(report, '≤ 0.95: not measured');
});

t.test('a failed check: the error names the row', async t => {
  const wrong = group('node', async () => {
    throw new Error('Page 3 has other pixels.');
  });
  await t.rejects(resultsOf(wrong, bench, lacking), { message: /"ten pages".*Page 3 has other pixels/ });
});

t.test('README.md has a place for the report', async t => {
  t.doesNotThrow(() => reportPart.read());
});
