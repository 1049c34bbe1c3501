/** Figures of plugins and licences. */
import { fakeClock } from '@platen/conformance';
import { createRegistry, type PluginReport } from '@platen/core';
import t from 'tap';
import { composeFakes } from '../compose.test.kit.js';
import { parsed } from './parse.test.kit.js';

t.test('metrics: plugins by state, and how long licences last', async t => {
  const clock = fakeClock();
  const expires = new Date(clock.now() + 20 * 86_400_000);
  const report = (use: string, state: PluginReport['state']): PluginReport => ({ use, state, provides: [] });
  const reports = [
    { ...report('@acme/reader', 'loaded'), entitlement: { customer: 'Acme Clinic', expires } },
    ...[report('a', 'loaded'), report('b', 'disabled'), report('c', 'skipped'), report('d', 'unlicensed')],
  ];
  const { routeParts } = await composeFakes(
    t,
    {},
    { config: { metrics: { enabled: true } }, parts: { plugins: { registry: createRegistry(), reports }, clock } },
  );
  const text = await routeParts.metrics!.text();
  const { value } = parsed(text);
  for (const [state, count] of Object.entries({ loaded: 2, disabled: 1, skipped: 1, unlicensed: 1, refused: 0 }))
    t.equal(value(`platen_plugins{state="${state}"}`), count, state);
  t.equal(value('platen_licence_remaining_seconds{plugin="@acme/reader"}'), 20 * 86_400);
  t.notMatch(text, /Acme Clinic/);
});
