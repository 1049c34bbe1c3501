/** `GET /app/scanners`: licences that the page at /app/ tells of, by the service's clock. */
import { fakeClock } from '@platen/conformance';
import { createRegistry, type PluginReport } from '@platen/core';
import t from 'tap';
import { buildApp } from '../../app.js';
import { composeFakes } from '../../compose.test.kit.js';

t.test('app/scanners: licences in their last 30 days and in their days of grace, and no other', async t => {
  const clock = fakeClock(Date.UTC(2026, 3, 1, 12));
  const report = (use: string, expires: string, grace?: string): PluginReport => ({
    use,
    state: 'loaded',
    provides: [],
    entitlement: {
      customer: 'Acme Clinic, Springfield',
      expires: new Date(`${expires}T23:59:59Z`),
      ...(grace !== undefined && { grace: new Date(`${grace}T23:59:59Z`) }),
    },
  });
  const reports = [
    report('@acme/ocr', '2026-05-12', '2026-05-26'),
    report('@acme/later', '2027-05-12'),
    { use: 'free', state: 'loaded', provides: [] } as const,
  ];
  const registry = createRegistry();
  const { routeParts } = await composeFakes(t, {}, { parts: { plugins: { registry, reports }, registry, clock } });
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  t.teardown(() => app.close());
  const licences = async (): Promise<unknown> =>
    (await app.inject({ url: '/app/scanners', headers: { host: 'localhost:53052' } })).json<{ licences: unknown }>()
      .licences;
  t.strictSame(await licences(), [], '41 days before');
  clock.set(Date.UTC(2026, 3, 11, 23));
  t.strictSame(await licences(), [], '31 days before');
  clock.set(Date.UTC(2026, 3, 12));
  t.strictSame(await licences(), [{ plugin: '@acme/ocr', ends: '2026-05-12' }], '30 days before');
  clock.set(Date.UTC(2026, 4, 12, 12));
  t.strictSame(await licences(), [{ plugin: '@acme/ocr', ends: '2026-05-12' }], 'on its last day');
  clock.set(Date.UTC(2026, 4, 13));
  t.strictSame(await licences(), [{ plugin: '@acme/ocr', ends: '2026-05-12', graceEnds: '2026-05-26' }]);
  clock.set(Date.UTC(2026, 4, 27));
  t.strictSame(await licences(), [], 'it does not work any more: the controls say so');
});
