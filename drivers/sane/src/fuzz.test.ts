/** The helper over a made-up libsane: no request crashes it or makes it break the protocol. */
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

for (const compiler of ['gcc', 'clang'] as const) {
  void t.test(`fuzz: ${compiler}, 3 seconds, no fault`, async t => {
    if (!needs(t, compiler)) return;
    const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 3, compiler);
    t.comment(said);
    t.ok(ok, said);
  });
}
