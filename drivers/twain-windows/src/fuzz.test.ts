/**
 * The helper over a made-up data source manager, on Linux: no request crashes it or makes it break the protocol. By clang:
 * fuzz.long.test.ts.
 */
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

void t.test('fuzz: 5,000 inputs, no fault', async t => {
  if (process.platform !== 'linux') return t.pass('fuzz', { skip: 'windows.h of native/fuzz/windows is for Linux' });
  if (!needs(t, 'g++')) return;
  const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 5000, 'gcc');
  t.comment(said);
  t.ok(ok, said);
});
