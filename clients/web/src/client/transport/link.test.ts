import { mock } from 'node:test';
import t from 'tap';
import { PlatenError } from '../errors.js';
import { createLink } from './link.js';

const gone = new PlatenError('no-answer', 'gone');

/** Advances the clock until it settles. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const end = (): void => void (settled = true);
  promise.then(end, end);
  while (!settled) {
    mock.timers.tick(250);
    await new Promise(resolve => setImmediate(resolve));
  }
  return promise;
}

t.beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
t.afterEach(() => mock.timers.reset());

t.test('link: lost for good, no-answer after the last retry; told once', async t => {
  const told: boolean[] = [];
  let calls = 0;
  const link = createLink({ onConnection: is => told.push(is) });
  const fails = async (): Promise<never> => {
    calls++;
    throw gone;
  };
  await t.rejects(passing(link.hold(fails)), gone);
  t.equal(calls, 9);
  await t.rejects(passing(link.hold(async () => 'lost')), { code: 'no-answer' });
  t.same(told, [false]);
  link.up();
  t.same(told, [false, true]);
});

t.test('link: something arrived, all retries again; another failure, thrown at once', async t => {
  const link = createLink({ retries: [0] });
  let calls = 0;
  const attempt = async (): Promise<string> => {
    if (++calls === 10) return 'here';
    link.advanced();
    return 'lost';
  };
  t.equal(await passing(link.hold(attempt)), 'here');
  const other = new PlatenError('busy', 'busy');
  await t.rejects(passing(link.hold(() => Promise.reject(other))), other);
});

t.test('link: aborted in a pause, cancelled without another wait', async t => {
  const stop = new AbortController();
  const held = createLink({ retries: [1e9] }).hold(async () => {
    if (stop.signal.aborted) throw gone;
    setImmediate(() => stop.abort());
    return 'lost';
  }, stop.signal);
  await t.rejects(held, { code: 'cancelled' });
});
