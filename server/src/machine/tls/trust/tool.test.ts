import { readFileSync } from 'node:fs';
import t from 'tap';
import { certificate } from './fakes.test.kit.js';
import { must, systemTools } from './tool.js';

const tools = systemTools({ ...process.env, WORD: 'a b;c' });
const node = (script: string, ...args: string[]): [string, string[]] => [process.execPath, ['-e', script, ...args]];

t.test('tool: a failure is a sentence with the command', async t => {
  t.equal(await tools.run('no-such-program-anywhere', []), undefined);
  await t.rejects(must(tools, 'no-such-program-anywhere', [], 'get it there'), {
    fault: 'no-tool',
    message: 'The program no-such-program-anywhere is not installed: get it there.',
  });
  await t.rejects(must(tools, ...node('console.error("one\\ntwo."); process.exit(7)'), ''), {
    fault: 'failed',
    message: /^".*process\.exit\(7\)" failed with code 7: one two\.$/,
  });
  await t.rejects(must(tools, ...node('process.exit(7)'), ''), { message: /failed with code 7\.$/ });
  await t.rejects(tools.run(...node('process.kill(process.pid, "SIGKILL")')), {
    fault: 'failed',
    message: /Could not run/,
  });
});

t.test('tool: a program that this account cannot run is not installed for it', async t => {
  // The operating system answers EACCES, as for a folder of PATH that the account must not search.
  const PATH = t.testdir({ certutil: {} });
  t.equal(await systemTools({ PATH }).run('certutil', []), undefined);
});

t.test('tool: without a shell, arguments, variables and input arrive unchanged', async t => {
  const script =
    'console.log(JSON.stringify([process.argv[1], process.env.WORD, process.env.LC_ALL, require("fs").readFileSync(0, "utf8")]))';
  const ran = await tools.run(...node(script, '$WORD "x" & y'), 'in\n');
  t.same(JSON.parse(ran?.said ?? ''), ['$WORD "x" & y', 'a b;c', 'C', 'in\n']);
  t.match(
    await tools.run(...node('process.stdin.destroy()'), 'x'.repeat(1_000_000)),
    { code: 0 },
    'nor does it mind who does not read',
  );
});

t.test("tool: the certificate's file exists while it is used", async t => {
  let name = '';
  await t.rejects(
    tools.withFile(certificate('A'), async file => {
      name = file;
      t.equal(readFileSync(file, 'utf8'), certificate('A').pem);
      throw new Error('used');
    }),
    { message: 'used' },
  );
  t.throws(() => readFileSync(name), { code: 'ENOENT' });
});
