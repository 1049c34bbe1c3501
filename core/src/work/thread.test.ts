/** A thread answers one message at a time and keeps no memory of an answer. */
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { startThread } from './thread.js';

// Lets the test start a garbage collection, to see which memory is unreferenced.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', bytes => {
    const data = new Uint8Array(bytes);
    parentPort.postMessage({ data }, [data.buffer]);
  });
`)}`,
);
const died = (failure: Error | undefined, code: number): Error => failure ?? new Error(`it ended with code ${code}`);

t.test('ask: the answer of an idle thread is collected, however large it is', async t => {
  const thread = startThread({ script, died });
  const answer = async (): Promise<WeakRef<object>> => new WeakRef(await thread.ask<object>(1000));
  const answers = [await answer(), await answer()];
  for (let i = 0; i < 5; i++) {
    await turn();
    collect();
  }
  t.same(
    answers.map(each => each.deref()),
    [undefined, undefined],
  );
  await thread.end();
  await t.rejects(thread.ask(1), { message: 'it ended with code 1' });
});
