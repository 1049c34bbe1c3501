import t from 'tap';
import { inTurn } from './turns.js';

interface Step {
  readonly ran: Promise<void>;
  end(): void;
}

t.test('inTurn: what must be alone, waits for all before it, and all after it wait', async t => {
  const running: string[] = [];
  const step = (name: string, alone: boolean): Step => {
    let end = () => {};
    const ended = new Promise<void>(resolve => (end = resolve));
    const ran = inTurn(alone, async () => {
      running.push(name);
      await ended;
      running.splice(running.indexOf(name), 1);
    });
    return { ran, end };
  };
  const settled = async () => {
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    return running.join(' ');
  };
  const [a, b, c, d, e] = [step('a', false), step('b', false), step('c', true), step('d', false), step('e', true)];
  t.equal(await settled(), 'a b');
  a.end();
  t.equal(await settled(), 'b');
  b.end();
  t.equal(await settled(), 'c');
  c.end();
  t.equal(await settled(), 'd');
  d.end();
  t.equal(await settled(), 'e');
  e.end();
  await e.ran;
  t.equal(running.length, 0);
});

t.test('inTurn: failure, passed on, and the next one runs', async t => {
  await t.rejects(
    inTurn(true, async () => {
      throw new Error('broken');
    }),
    { message: 'broken' },
  );
  t.equal(await inTurn(true, async () => 7), 7);
});
