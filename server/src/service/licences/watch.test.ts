/** The log of a service that is never restarted: each licence that ends soon, once a day. */
import { fakeClock, recordingLog } from '@platen/conformance';
import type { PluginReport } from '@platen/core';
import t from 'tap';
import { watchLicences } from './watch.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

t.test('licences: a warning a day in the last 30 days, and after the end', async t => {
  const clock = fakeClock();
  const log = recordingLog();
  const report = (use: string, days: number): PluginReport => {
    const expires = new Date(clock.now() + days * DAY);
    return { use, state: 'loaded', provides: [], entitlement: { customer: 'Acme Clinic', expires } };
  };
  const free: PluginReport = { use: 'free', state: 'loaded', provides: [] };
  let reports = [report('soon', 32), report('late', 400), free];
  let ended = 0;
  const { end } = watchLicences({ reports: () => reports, log: () => log, clock, ended: () => (ended += 1) });
  const hours = async (count: number): Promise<void> => {
    for (let hour = 0; hour < count; hour += 1) await clock.advance(HOUR);
  };
  await hours(24);
  t.same(log.lines, [], '31 days before the end');
  await hours(24);
  t.match(log.lines, [/^warn: .*"soon".* 30 days/]);
  await hours(24 * 2);
  t.equal(log.lines.length, 3, 'once a day');
  await hours(24 * 29);
  t.match(log.lines.at(-1), /"soon".* ended on/);
  t.ok(ended > 0, 'its end was told');
  reports = [free];
  const before = ended;
  await hours(24);
  t.equal(ended, before, 'once the plugin is off, there is nothing to tell');
  t.notOk(log.lines.some(line => line.includes('late')));
  const { length } = log.lines;
  end();
  await hours(48);
  t.equal(log.lines.length, length, 'nothing after the service has ended');
});

t.test('licences: the end is told within seconds of it', async t => {
  const clock = fakeClock();
  const expires = new Date(clock.now() + 90_000);
  const report: PluginReport = {
    use: 'soon',
    state: 'loaded',
    provides: [],
    entitlement: { customer: 'Acme Clinic', expires },
  };
  const told: number[] = [];
  const ended = (): void => void told.push(clock.now());
  let reports: readonly PluginReport[] = [];
  const { again, end } = watchLicences({ reports: () => reports, log: () => recordingLog(), clock, ended });
  await clock.advance(1000);
  reports = [report];
  again();
  for (let second = 0; second < 100; second += 1) await clock.advance(1000);
  end();
  t.equal(told.length, 1);
  t.ok(told[0]! - expires.getTime() <= 2000);
});
