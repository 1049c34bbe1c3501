/** The helper over a made-up libsane: no request crashes it or makes it break the protocol. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import t from 'tap';

const kit = dirname(createRequire(import.meta.url).resolve('@platen/driver-kit/package.json'));
const own = fileURLToPath(new URL('..', import.meta.url));

for (const compiler of ['gcc', 'clang']) {
  void t.test(`fuzz: ${compiler}, 5 seconds, no fault`, async t => {
    if (!needs(t, compiler)) return;
    const folder = t.testdir();
    mkdirSync(join(folder, 'native'));
    for (const name of readdirSync(join(own, 'native')).filter(each => each !== 'build'))
      cpSync(join(own, 'native', name), join(folder, 'native', name), { recursive: true });
    cpSync(join(own, 'package.json'), join(folder, 'package.json'));
    const args = [join(kit, 'bin/fuzz.mjs'), '--seconds', '5', '--compiler', compiler];
    const env = { ...process.env, NODE_OPTIONS: '' };
    const [error, said] = await new Promise<[unknown, string]>(done => {
      execFile(process.execPath, args, { cwd: folder, env }, (failed, out, errors) => done([failed, out + errors]));
    });
    t.comment(said);
    t.notOk(error, said);
  });
}
