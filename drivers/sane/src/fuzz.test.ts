/** The helper over a made-up libsane: no request crashes it or makes it break the protocol. By clang: fuzz.long.test.ts. */
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

void t.test('fuzz: 5,000 inputs, no fault', async t => {
  if (!needs(t, 'gcc')) return;
  const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 5000, 'gcc');
  t.comment(said);
  t.ok(ok, said);
});
