/** A slow status is answered with a recent one. */
import { fakeClock, fakeDriver } from '@platen/conformance';
import t from 'tap';
import type { Session, Status } from '../contract/driver.js';
import { createStatusMemory } from './statusMemory.js';

const { signal } = new AbortController();

/** An open scanner whose answers the test resolves. */
async function setUp() {
  const driver = fakeDriver();
  const real = await driver.open('fake-1', { signal });
  const answers: ((status: Status) => void)[] = [];
  const session: Session = { ...real, status: () => new Promise(resolve => answers.push(resolve)) };
  const clock = fakeClock();
  const memory = createStatusMemory(clock);
  const scanner = { known: { name: 'Desk', device: session.device, driver }, session };
  return {
    clock,
    asked: () => answers.length,
    answer: (paper: Status['paper']) => answers.at(-1)?.({ online: true, paper }),
    status: () => memory.of(scanner),
  };
}

t.test('statusMemory: first question, waits 2 s at most and is shared by concurrent callers', async t => {
  const { clock, asked, answer, status } = await setUp();
  const both = Promise.all([status(), status()]);
  await clock.advance(1999);
  t.equal(asked(), 1);
  answer('loaded');
  t.match(await both, [{ paper: 'loaded' }, { paper: 'loaded' }]);
  const late = await setUp();
  const refused = t.rejects(late.status(), { code: 'timeout' });
  await late.clock.advance(2000);
  await refused;
});

t.test('statusMemory: slow device, the last status for some seconds, then waits again', async t => {
  const { clock, asked, answer, status } = await setUp();
  const first = status();
  await clock.advance(0);
  answer('loaded');
  await first;
  const second = status();
  await clock.advance(15);
  t.match(await second, { paper: 'loaded' }, 'its last answer');
  t.equal(asked(), 2, 'and it is asked');
  answer('empty');
  await clock.advance(0);
  const third = status();
  await clock.advance(15);
  t.match(await third, { paper: 'empty' }, 'its late answer');
  answer('empty');
  await clock.advance(5001);
  let given = false;
  const fourth = status().then(() => (given = true));
  await clock.advance(1000);
  t.equal(given, false, 'older answers are not used');
  answer('loaded');
  await fourth;
});
