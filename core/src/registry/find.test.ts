/** What a plugin finds for its options: with a limit, and checked. */
import { fakeClock } from '@platen/conformance';
import t from 'tap';
import type { FindCall, Found } from '../contract/find.js';
import { FIND_DEADLINE_MS, foundBy, MOST_FOUND } from './find.js';
import { contributionsFault } from './validate.js';

const { signal } = new AbortController();
const any = (value: unknown) => ({ find: async () => value as readonly Found[] });

t.test('find: what a plugin found, and as much of it as a person reads', async t => {
  const one = { title: 'Flowscan at 192.168.1.20', options: { devices: ['http://192.168.1.20'] } };
  t.strictSame(await foundBy(any([one]), signal), [one]);
  t.strictSame(await foundBy(any([]), signal), []);
  const many = await foundBy(any(Array.from({ length: 999 }, () => ({ ...one, title: 'x'.repeat(999) }))), signal);
  t.equal(many.length, MOST_FOUND);
  t.equal(many[0]?.title.length, 200);
});

t.test('find: it is called on what setup returned', async t => {
  const source = {
    close: async () => undefined,
    async find(this: unknown): Promise<readonly Found[]> {
      return this === source ? [] : Promise.reject(new Error('another this'));
    },
  };
  t.strictSame(await foundBy(source, signal), []);
});

t.test('find: what fails, hangs or answers something else is refused in a sentence', async t => {
  await t.rejects(foundBy(undefined, signal), /not loaded/);
  await t.rejects(foundBy({}, signal), /looks for nothing/);
  for (const [answer, why] of [
    ['x', /not a list/],
    [[{ options: {} }], /without a title/],
    [[{ title: 'x', options: [] }], /without options/],
    [[null], /without a title/],
  ] as const)
    await t.rejects(foundBy(any(answer), signal), why);
  await t.rejects(foundBy({ find: () => Promise.reject(new Error('no network')) }, signal), /no network/);
  const clock = fakeClock();
  let call: FindCall | undefined;
  const hanging = foundBy({ find: given => ((call = given), new Promise(() => undefined)) }, signal, clock);
  const refused = t.rejects(hanging, /20 seconds/);
  await clock.advance(FIND_DEADLINE_MS);
  await refused;
  t.equal(call?.signal.aborted, true, 'the plugin may stop');
});

t.test('find: a contribution that is no function refuses the plugin', async t => {
  t.equal(contributionsFault({ find: 'x' }), 'find is not a function');
  t.equal(contributionsFault({ find: async () => [] }), undefined);
});
