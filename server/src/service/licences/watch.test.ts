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
  const end = watchLicences([report('soon', 32), report('late', 400), free], () => log, clock);
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
  t.notOk(log.lines.some(line => line.includes('late')));
  const { length } = log.lines;
  end();
  await hours(48);
  t.equal(log.lines.length, length, 'nothing after the service has ended');
});

t.test('licences: none, no timer', async t => {
  const clock = { ...fakeClock(), after: () => t.fail('a timer') as never };
  watchLicences([{ use: 'free', state: 'loaded', provides: [] }], () => recordingLog(), clock)();
});
