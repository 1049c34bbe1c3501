/** Promise 7: importing the package on a foreign operating system. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { TIMEOUT_MS } from './deadline.js';
import { onDriver, type DriverCase } from './trial.js';
import { expectSame } from './expect.js';

/** One that no driver is made for. */
const foreign = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'haiku' })`;

/** Imports its argument; names what that leaves open, as its only output, and then does not wait for it to end. */
const importer = `
  void [process.stdout, process.stderr]; // opened when they are first looked at, which is no harm
  const before = process.getActiveResourcesInfo();
  await import(process.argv[1]);
  for (let i = 0; i < 5; i++) await new Promise(setImmediate);
  const left = process.getActiveResourcesInfo().filter(each => each !== 'Immediate');
  for (const each of before) if (left.includes(each)) left.splice(left.indexOf(each), 1);
  if (left.length > 0) {
    (await import('node:fs')).writeSync(1, 'left open: ' + left.join(', '));
    process.exit(1);
  }
`;

export const importCases: readonly DriverCase[] = [
  {
    id: '7-import-does-nothing',
    title: 'importing the package on a foreign operating system prints nothing, leaves nothing open and does not fail',
    untried: features =>
      features.packageUrl ? undefined : 'features.packageUrl does not say where the package is imported from',
    run: onDriver(async (_, { packageUrl, timeoutMs = TIMEOUT_MS }) => {
      assert.ok(packageUrl);
      // A test runner's own loaders and options are not the package's doing.
      const { NODE_OPTIONS: _options, NODE_V8_COVERAGE: _coverage, ...env } = process.env;
      const child = spawn(
        process.execPath,
        ['--import', foreign, '--input-type=module', '-e', importer, packageUrl.href],
        {
          env: { ...env, NODE_NO_WARNINGS: '1' },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
      let late = false;
      const timer = setTimeout(() => {
        late = true;
        child.kill('SIGKILL');
        // A process that the import started may hold them open for ever.
        for (const stream of [child.stdout, child.stderr]) stream.destroy();
      }, timeoutMs);
      const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
      const code = await ended.finally(() => clearTimeout(timer));
      output = output.trim();
      const printed = output ? `; it printed: ${output.slice(0, 2000)}` : '';
      assert.ok(
        !late,
        `after importing ${packageUrl.href} the process does not end by itself within ${timeoutMs / 1000} s${printed}`,
      );
      assert.equal(code, 0, `importing ${packageUrl.href} on a foreign operating system ends with ${code}${printed}`);
      expectSame(output, '', `importing ${packageUrl.href} on a foreign operating system is not silent`);
    }),
  },
];
