/** `platen-fuzz` finds every fault of a helper's verbs, in each compiler's form. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import t from 'tap';
import { compilers, faulty, fuzz } from './fuzz.test.kit.js';

/** The first one also by libFuzzer. */
const faults: readonly (readonly [verb: string, report: RegExp])[] = [
  ['twice', /"verb" sent a frame after its last one/],
  ['never', /"verb" returned without a last frame/],
  ['unclosed', /"verb" sent a header that is not JSON/],
  ['row', /rows|index 16 out of bounds/],
  ['whole', /"verb" sent 4194305 bytes of data in a frame: at most 4194304/],
  ['leak', /LeakSanitizer/],
];

for (const [at, [verb, report]] of faults.entries()) {
  for (const compiler of at < 1 ? compilers : ['gcc']) {
    void t.test(`a verb's fault: ${verb}, ${compiler} finds it, and its input repeats it`, async t => {
      if (!needs(t, compiler)) return;
      const folder = faulty(t, verb);
      const seconds = verb === 'leak' ? '2' : '300';
      const { status, said } = await fuzz(folder, ['--seconds', seconds, '--seed', '2', '--compiler', compiler]);
      t.equal(status, 1, said);
      t.match(said, report);
      const input = /The input is (\S+)\. /.exec(said)?.[1];
      if (verb === 'leak') return t.notOk(input, 'the own main sees leaks at its end only');
      t.ok(input, said);
      const again = await fuzz(folder, ['--compiler', compiler, input!]);
      t.equal(again.status, 1, again.said);
      t.match(again.said, report);
    });
  }
}

for (const compiler of compilers) {
  void t.test(`verbs without a fault: ${compiler} finds nothing`, async t => {
    if (!needs(t, compiler)) return;
    const folder = faulty(t, 'sound');
    const { status, said } = await fuzz(folder, ['--seconds', '2', '--compiler', compiler]);
    t.equal(status, 0, said);
    const inputs = readdirSync(join(folder, 'native/corpus')).map(name => join('native/corpus', name));
    t.equal((await fuzz(folder, ['--compiler', compiler, ...inputs])).status, 0);
    t.strictSame(readdirSync(join(folder, 'native/corpus')), ['verb'], 'nothing is written there');
  });
}

void t.test('a verb that hangs: the input is found and written, and its process ends', async t => {
  if (!needs(t, 'gcc')) return;
  const folder = faulty(t, 'hang');
  writeFileSync(join(folder, 'native/corpus/verb'), '{"id":1,"verb":"verb","args":{"at":1}}\n');
  const { status, said } = await fuzz(folder, ['--seconds', '300', '--seed', '2', '--compiler', 'gcc']);
  t.equal(status, 1, said);
  t.match(said, /native\/build\/fuzz\/timeout-/);
});

void t.test('the same seed, the same inputs', async t => {
  if (!needs(t, 'gcc')) return;
  const folder = faulty(t, 'row');
  const runs: unknown[] = [];
  for (const seed of [2, 2, 9]) {
    const { said } = await fuzz(folder, ['--seconds', '300', '--seed', String(seed), '--compiler', 'gcc']);
    runs.push(/crash-\d+-(\d+)\./.exec(said)?.[1]);
  }
  t.equal(runs[0], runs[1]);
  t.not(runs[0], runs[2]);
});
