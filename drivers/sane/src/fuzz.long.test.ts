/** As fuzz.test.ts, with inputs that clang's libFuzzer finds new ways with. */
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

void t.test('fuzz: 50,000 inputs of libFuzzer, no fault', async t => {
  if (!needs(t, 'clang')) return;
  const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 50_000, 'clang');
  t.comment(said);
  t.ok(ok, said);
});
