/** One mutant, one process. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../step.mjs';
import { targets } from './targets.mjs';

const suite = fileURLToPath(new URL('./suite.mjs', import.meta.url));
/** Longer than the suites take, on a busy machine too: a mutant that still runs then has made them hang. */
const HANG_MS = 300_000;

/**
 * @param mutant `{ target, file, source }`, the source being JavaScript; without one, the driver as it is
 * @returns `{ failed, message }`: the id of the case that failed first; `hang`, `exit`, `import`, `uncaught`, where the
 * process shows it; undefined if no case did
 */
export function tryMutant({ target, file, source }) {
  const url = pathToFileURL(join(root, targets[target].folder, 'dist', `${file}.js`)).href;
  const mutated = source === undefined ? {} : { mutant: { url, source } };
  return new Promise((resolve, reject) => {
    const child = fork(suite, [JSON.stringify({ target, ...mutated })], {
      execArgv: ['--max-old-space-size=600'],
      env: { ...process.env, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let found;
    const timer = setTimeout(() => {
      found ??= { failed: 'hang', message: `still running after ${HANG_MS / 1000} s` };
      child.kill('SIGKILL');
    }, HANG_MS);
    child.on('message', message => (found ??= message));
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      resolve(found ?? { failed: 'exit', message: `the process ended with ${code ?? signal}` });
    });
  });
}
