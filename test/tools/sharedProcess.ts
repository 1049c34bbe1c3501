/**
 * Runs compiled tests in this process, one after the other, each as one test: `node test/dist/tools/sharedProcess.js
 * FILE…`. It ends after the first file that fails: what that one left behind would be blamed on the next.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Test } from 'tap';
import { unwatch } from './unwatched.js';

unwatch();
const { t: root } = await import('tap');
const { shareProcess } = await import('../topology/processEnd.js');

const test = root.test;
const endShared = shareProcess();

/** Makes the object that files import from tap the test of the present file: what they call is called on that. */
function standFor(t: Test): void {
  Object.setPrototypeOf(
    root,
    new Proxy(t, {
      get(of, key) {
        const value = Reflect.get(of, key, of) as unknown;
        return typeof value === 'function' ? (value.bind(of) as unknown) : value;
      },
      set: (of, key, value) => Reflect.set(of, key, value, of),
    }),
  );
}

/** Takes back what a file changed of the process. */
function keepProcess(): () => void {
  const env = { ...process.env };
  const cwd = process.cwd();
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
    if (process.cwd() !== cwd) process.chdir(cwd);
  };
}

let areAllOk = true;
// Taken away: tap would name its folders for tests after all of them.
for (const file of process.argv.splice(2)) {
  const restore = keepProcess();
  const results = (await test(file, async t => {
    t.testdirName = join(process.cwd(), '.tap', 'fixtures', file.replaceAll('/', '-'));
    standFor(t);
    await import(pathToFileURL(join(process.cwd(), file)).href);
  })) as { readonly ok: boolean } | null;
  restore();
  if (results?.ok) continue;
  // What it left open does not keep the process.
  setTimeout(() => process.exit(), 1000).unref();
  areAllOk = false;
  break;
}
if (areAllOk) await endShared();
