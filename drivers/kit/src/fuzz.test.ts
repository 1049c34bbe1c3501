/** `platen-fuzz`: finds nothing in the kit's own parser, and a fault of a helper's verb. Others: fuzzFaults.long.test.ts. */
import { needs } from '@platen/conformance';
import t from 'tap';
import { compilers, faulty, fuzz, packageOf, parser } from './fuzz.test.kit.js';

for (const compiler of compilers) {
  void t.test(`parser: ${compiler}, 4,000 inputs, no fault`, async t => {
    if (!needs(t, compiler)) return;
    const { status, said } = await fuzz(packageOf(t, parser), [
      '--runs',
      '4000',
      '--seed',
      '1',
      '--compiler',
      compiler,
    ]);
    t.comment(said);
    t.equal(status, 0, said);
    t.match(said, /seed \d+/);
  });
}

void t.test('a fault of a verb is found, and its input repeats it', async t => {
  if (!needs(t, 'gcc')) return;
  const folder = faulty(t, 'twice');
  const { status, said } = await fuzz(folder, ['--runs', '1000000', '--seed', '2', '--compiler', 'gcc']);
  t.equal(status, 1, said);
  t.match(said, /"verb" sent a frame after its last one/);
  const input = /The input is (\S+)\. /.exec(said)?.[1];
  t.ok(input, said);
  const again = await fuzz(folder, ['--compiler', 'gcc', input!]);
  t.equal(again.status, 1, again.said);
});

for (const [what, args, message] of [
  ['a duration that is none', ['--seconds', 'ten'], /--seconds "ten" is not a number/],
  ['two durations', ['--seconds', '1', '--runs', '1'], /give one of them/],
  ['another compiler', ['--compiler', 'tcc'], /"tcc" is not one of gcc, clang/],
  ['an input that is not there', ['nothing'], /no file nothing/],
  ['an unknown option', ['--second', '1'], /--second/],
] as const) {
  void t.test(`refused: ${what}`, async t => {
    const { status, said } = await fuzz(packageOf(t, parser), args);
    t.equal(status, 2);
    t.match(said, message);
  });
}

void t.test('refused: a folder without native/fuzz.c, and a source that does not compile', async t => {
  const { status, said } = await fuzz(t.testdir({}), []);
  t.equal(status, 2);
  t.match(said, /There is no native\/fuzz\.c here/);
  if (!needs(t, 'gcc')) return;
  const broken = await fuzz(packageOf(t, '#include "platen_fuzz.h"\n'), ['--compiler', 'gcc']);
  t.equal(broken.status, 2);
  t.match(broken.said, /not built by gcc[\s\S]*#define PLATEN_FUZZ/);
});
