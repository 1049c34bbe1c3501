/** The tally: scans by code, the buckets of times, and a bound on origins. */
import t from 'tap';
import { exposition } from './exposition.js';
import { parsed } from './parse.test.kit.js';
import { createTally } from './tally.js';

const end = { kind: 'on-demand', scannerName: 'Desk', pages: 3, seconds: 1, code: undefined } as const;

t.test('tally: scans, pages and notes by code; no name of a scanner', async t => {
  const tally = createTally({ origins: false });
  tally.ended(end);
  tally.ended({ ...end, kind: 'auto-scan', pages: 2, code: 'paper-jam' });
  tally.ended({ ...end, pages: 1, code: 'cancelled' });
  tally.noted('ocr-failed');
  tally.answered('busy');
  tally.scanned('https://a.example');
  const text = exposition(tally.families());
  const { value, names } = parsed(text);
  t.equal(value('platen_scans_total{kind="on-demand",code="complete"}'), 1);
  t.equal(value('platen_scans_total{kind="on-demand",code="cancelled"}'), 1);
  t.equal(value('platen_scans_total{kind="auto-scan",code="complete"}'), 0);
  t.equal(value('platen_scans_total{kind="auto-scan",code="paper-jam"}'), 1);
  t.equal(value('platen_pages_total{kind="on-demand"}'), 4);
  t.equal(value('platen_pages_total{kind="auto-scan"}'), 2);
  t.equal(value('platen_notes_total{code="ocr-failed"}'), 1);
  t.equal(value('platen_error_answers_total{code="busy"}'), 1);
  t.notMatch(text, /Desk|example/);
  t.notOk(names.includes('platen_scans_by_origin_total'));
});

t.test('tally: the seconds of a stage, in every bucket that holds them', async t => {
  const tally = createTally({ origins: false });
  for (const seconds of [0.005, 0.2, 1, 400]) tally.took('encode', seconds);
  const { value } = parsed(exposition(tally.families()));
  const bucket = (le: string) => value(`platen_stage_seconds_bucket{stage="encode",le="${le}"}`);
  t.same(
    [bucket('0.005'), bucket('0.1'), bucket('0.25'), bucket('1'), bucket('300'), bucket('+Inf')],
    [1, 1, 2, 3, 3, 4],
  );
  t.equal(value('platen_stage_seconds_count{stage="encode"}'), 4);
  t.equal(value('platen_stage_seconds_sum{stage="encode"}'), 401.205);
  t.equal(value('platen_stage_seconds_count{stage="feed"}'), 0);
});

t.test('tally: origins if asked for, a hundred of them', async t => {
  const tally = createTally({ origins: true });
  for (let n = 0; n < 150; n++) tally.scanned(`https://${n}.example`);
  tally.scanned('https://7.example');
  tally.scanned('');
  const { value } = parsed(exposition(tally.families()));
  const of = (origin: string) => value(`platen_scans_by_origin_total{origin="${origin}"}`);
  t.same(
    [of('https://7.example'), of('https://99.example'), of('https://100.example'), of('other'), of('')],
    [2, 1, undefined, 50, 1],
  );
});
