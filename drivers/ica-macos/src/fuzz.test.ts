/** The helper over the simulated ImageCaptureCore: no request crashes it or makes it break the protocol. */
import { execFileSync } from 'node:child_process';
import { needs } from '@platen/conformance';
import { fuzzedHelper } from '@platen/conformance/fuzz';
import t from 'tap';

void t.test('fuzz: 1,000 inputs, no fault', async t => {
  if (process.platform !== 'linux') return t.pass('fuzz', { skip: 'the simulation needs GNUstep' });
  if (!['gcc', 'gnustep-config'].every(program => needs(t, program))) return;
  if (!needs(t, execFileSync('gcc', ['-print-prog-name=cc1obj'], { encoding: 'utf8' }).trim())) return;
  const [ok, said] = await fuzzedHelper(new URL('..', import.meta.url), 1000);
  t.comment(said);
  t.ok(ok, said);
});
