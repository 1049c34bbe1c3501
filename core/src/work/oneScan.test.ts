/** One scan at a time on a session. */
import t from 'tap';
import { codeOf } from '../contract/errors.js';
import { forever } from '../time/wait.js';
import { oneScan } from './oneScan.js';

const never = new AbortController().signal;

async function* endless(ended: AbortSignal) {
  yield 1;
  await forever(ended);
}

t.test('oneScan: second scan while one runs, busy and the first is undisturbed', async t => {
  const scans = oneScan<number>('Desk');
  const first = scans.start(never, endless);
  t.equal(scans.running, undefined, 'nothing runs before the first pull');
  await first.next();
  t.equal(scans.running, first);
  const second = scans.start(never, endless);
  await t.rejects(second.next(), { code: 'busy', message: '"Desk" is scanning.' });
  t.equal(scans.running, first);
  await first.return?.();
  t.equal(scans.running, undefined);
});

t.test('oneScan: scan started while another stops, begins after that has stopped', async t => {
  const scans = oneScan<number>('Desk');
  const seen: string[] = [];
  let stopped = (): void => undefined;
  const stopping = new Promise<void>(resolve => (stopped = resolve));
  const first = scans.start(never, async function* () {
    try {
      yield 1;
    } finally {
      await stopping;
      seen.push('first stopped');
    }
  });
  await first.next();
  const ending = first.end(new Error('enough'));
  const second = scans.start(never, async function* (_, before) {
    await before;
    seen.push('second began');
    yield 2;
  });
  const pulled = second.next();
  t.equal(scans.running, second);
  t.same(seen, []);
  stopped();
  t.match(await pulled, { value: 2 });
  await ending;
  t.same(seen, ['first stopped', 'second began']);
  t.equal(scans.running, second, 'the first one’s end is not the second one’s');
});

t.test('oneScan: begin throws, nothing is running', async t => {
  const scans = oneScan<number>('Desk');
  const refused = scans.start(never, () => {
    throw Object.assign(new Error('closed'), { code: 'device-offline' });
  });
  t.equal(codeOf(await refused.next().catch((error: unknown) => error)), 'device-offline');
  t.equal(scans.running, undefined);
});
