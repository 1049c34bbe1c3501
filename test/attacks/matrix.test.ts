/** Attacks: each once, in the strictest mode. With every call, in every mode: matrix.long.test.ts. */
import t from 'tap';
import { eachOnce, startTarget, tryAttacks, tryIpv6, tryMetrics, tryOwnPage, tryProgram } from './matrix.js';
import { trySettings } from './settings.js';

t.test('token', async t => {
  const target = await startTarget(t, 'token');
  await t.test('each attack', t => tryAttacks(t, target, eachOnce));
  await t.test('the own page’s calls, by other pages and by frames', t => tryOwnPage(t, target));
  await t.test('/settings/, by other pages, frames and programs', t => trySettings(t, target));
  await t.test('what a program can: it sends any header, and is no page', t => tryProgram(t, target));
  await t.test('over IPv6 too', t => tryIpv6(t, target));
});

t.test('open', async t => {
  const target = await startTarget(t, 'open');
  await t.test('the figures for monitoring: no page reads them, by no spelling', t => tryMetrics(t, target));
  await t.test('what a program can: it sends any header, and is no page', t => tryProgram(t, target));
});
