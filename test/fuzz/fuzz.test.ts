/** `npm run fuzz`: runs its parts for the time that it was given, and tells what failed. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const program = fileURLToPath(new URL('../../../setup/fuzz.mjs', import.meta.url));

function fuzz(args: readonly string[], env: object = {}): Promise<{ code: number; said: string }> {
  const own = { ...process.env, NODE_OPTIONS: '', ...env }; // otherwise tap's preload runs in it
  return new Promise(done => {
    const child = execFile(process.execPath, [program, ...args], { env: own }, (_, out, errors) =>
      done({ code: child.exitCode ?? -1, said: out + errors }),
    );
  });
}

t.test('a part that finds nothing is run until its time is over', async t => {
  const { code, said } = await fuzz(['--minutes', '0.01', 'licenceFuzz']);
  t.equal(code, 0, said);
  t.match(said, /ok +server\/src\/service\/licences\/licenceFuzz\.test\.ts \(\d+ runs/);
  t.match(said, /1 parts, 0 failed/);
});

t.test('a part that fails: its last lines, and exit code 1', async t => {
  const { code, said } = await fuzz(['--minutes', '0.01', 'licenceFuzz'], { PLATEN_FUZZ_RUNS: 'many' });
  t.equal(code, 1, said);
  t.match(said, /FAILED server\/src\/service\/licences\/licenceFuzz\.test\.ts[\s\S]*PLATEN_FUZZ_RUNS is "many"/);
  t.match(said, /1 parts, 1 failed/);
});

t.test('refused: no such part, no such time', async t => {
  const unknown = await fuzz(['nothing-of-ours']);
  t.equal(unknown.code, 2);
  t.match(unknown.said, /core\/src\/scanning\/sessionWalks\.test\.ts/);
  for (const minutes of ['soon', '0', '-1']) {
    const { code, said } = await fuzz([`--minutes=${minutes}`]);
    t.equal(code, 2);
    t.match(said, new RegExp(`--minutes "${minutes}"`));
  }
});
