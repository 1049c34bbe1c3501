/** `platen trace`: how it refuses. What it records: test/trace. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { trace } from './trace.js';

function installation(t: Test, plugins: readonly object[] = []) {
  const root = t.testdir();
  mkdirSync(join(root, 'data'), { recursive: true, mode: 0o700 });
  const config = join(root, 'platen.json');
  writeFileSync(config, JSON.stringify({ plugins }), { mode: 0o600 });
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: { PLATEN_DATA_DIR: join(root, 'data'), PLATEN_CONFIG: config },
    cwd: root,
  };
  return { root, out, run: (...args: string[]) => trace(args, io, new Promise(() => undefined)) };
}

t.test('trace: wrong usage, before anything is loaded', async t => {
  const { run, out, root } = installation(t);
  await t.rejects(run(), { code: 'usage', message: /--out/ });
  await t.rejects(run('--out', 'a', '--dpi', 'x'), { code: 'usage', message: /^--dpi takes/ });
  await t.rejects(run('--out', 'a', '--brightness', '1'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
  await t.rejects(run('--out', 'none/a'), { message: /ENOENT/ });
  t.notOk(existsSync(join(root, 'a')));
  t.equal(await run('--help'), 0);
  t.match(out.join('\n'), /platen trace --out FILE/);
});

t.test('trace: no scanner; a file that exists is left alone', async t => {
  const { run, root } = installation(t);
  await t.rejects(run('--out', 'a'), { code: 'device-not-found' });
  t.notOk(existsSync(join(root, 'a')), 'no empty file remains');
  writeFileSync(join(root, 'mine'), 'mine');
  await t.rejects(run('--out', 'mine'), { code: 'usage', message: /--force/ });
  await t.rejects(run('--out', 'mine', '--force'), { code: 'device-not-found' });
  t.equal(readFileSync(join(root, 'mine'), 'utf8'), 'mine');
});

t.test('trace: no such scanner, several of them, a resolution that it lacks', async t => {
  const scanners = ['One', 'Two'].map(name => ({ name }));
  const { run, root } = installation(t, [{ use: '@platen/driver-virtual', options: { scanners } }]);
  await t.rejects(run('--out', 'a', '--scanner', 'Three'), {
    code: 'device-not-found',
    message: /"Three".*"One", "Two"/,
  });
  await t.rejects(run('--out', 'a'), { code: 'usage', message: /--scanner.*"One", "Two"/ });
  await t.rejects(run('--out', 'a', '--scanner', 'One', '--driver', 'sane'), { code: 'device-not-found' });
  await t.rejects(run('--out', 'a', '--scanner', 'One', '--dpi', '77'), { code: 'usage', message: /--dpi takes/ });
  t.notOk(existsSync(join(root, 'a')), 'no file remains');
  t.equal(await run('--out', 'a', '--scanner', 'two', '--no-scan'), 0);
});
