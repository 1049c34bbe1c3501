/** Whether a scanner is there, as the browser's events tell it. */
import { mock } from 'node:test';
import t from 'tap';
import { createPresence } from './presence.js';

t.test('presence: there with its name, then gone', async t => {
  const presence = createPresence('scanner', false);
  t.equal(presence.isThere, undefined);
  t.equal(presence.name, 'scanner', 'its id, until the browser names it');
  presence.hear({ event: 'added', device: 'another', name: 'Another' });
  t.equal(presence.isThere, undefined, 'another scanner');
  presence.hear({ event: 'added', device: 'scanner', name: 'Office' });
  t.same([presence.isThere, presence.name], [true, 'Office']);
  presence.hear({ event: 'removed', device: 'scanner' });
  t.same([presence.isThere, presence.name], [false, 'Office']);
  presence.forget();
  t.equal(presence.isThere, undefined);
  presence.lose();
  t.equal(presence.isThere, false);
});

t.test('presence: absent from the list of local scanners, gone; a network scanner may still come', async t => {
  const [local, network] = [createPresence('scanner', false), createPresence('scanner', true)];
  for (const each of [local, network]) each.hear({ event: 'enumerated' });
  t.same([local.isThere, network.isThere], [false, undefined]);
  network.hear({ event: 'added', device: 'scanner' });
  network.hear({ event: 'enumerated' });
  t.equal(network.isThere, true);
});

t.test('known: with the event, at once if known, and after the deadline', async t => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const presence = createPresence('scanner', true);
  const told = presence.known(1000);
  presence.hear({ event: 'added', device: 'scanner' });
  await told;
  await presence.known(1000);
  presence.forget();
  const late = presence.known(1000);
  mock.timers.tick(1000);
  await late;
  t.equal(presence.isThere, undefined);
});
