/** The guide for drivers before the first release: the block that takes a clone for the registry. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readSteps } from './guideSteps.js';

/** The clone, from the compiled file. */
const clone = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

// oxlint-disable-next-line no-restricted-properties -- the block is for a shell
const skip = process.platform === 'win32' && 'the commands are those of a POSIX shell';

t.test('write-a-driver.md: in a clone, a new package passes its tests', { skip, timeout: 300_000 }, async t => {
  const [step] = (await readSteps('write-a-driver.md')).filter(({ what }) => what === 'clone');
  const commands = step?.text.replaceAll('CLONE', clone) ?? 'false';
  const env = Object.entries(process.env).filter(
    ([name]) => !/^(NODE_OPTIONS|NODE_V8|NODE_TEST|_?TAP|npm_)/i.test(name),
  );
  const options = { cwd: t.testdir(), env: Object.fromEntries(env) };
  const { code, out } = await new Promise<{ code: unknown; out: string }>(done => {
    execFile('sh', ['-e', '-c', commands], options, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, out: stdout + stderr }),
    );
  });
  t.equal(code, 0, out);
  t.match(out, /^# fail 0$/m);
});
