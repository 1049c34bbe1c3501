/** As fuzz.test.ts, with inputs that clang's libFuzzer finds new ways with. */
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

void t.test('fuzz: 20,000 inputs of libFuzzer, no fault', async t => {
  if (process.platform !== 'linux') return t.pass('fuzz', { skip: 'windows.h of native/fuzz/windows is for Linux' });
  if (!needs(t, 'clang++')) return;
  const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 20_000, 'clang');
  t.comment(said);
  t.ok(ok, said);
});
