/** Attacks in every mode: each with the list and with a scan, every fourth with each other call. */
import t from 'tap';
import { most, startTarget, tryAttacks, tryIpv6, tryMetrics, tryOwnPage, tryProgram } from './matrix.js';
import { modes } from './rawCalls.js';
import { trySettings } from './settings.js';

for (const mode of modes)
  t.test(mode, async t => {
    const target = await startTarget(t, mode);
    await t.test('attacks', t => tryAttacks(t, target, most));
    await t.test('the own page’s calls, by other pages and by frames', t => tryOwnPage(t, target));
    await t.test('/settings/, by other pages, frames and programs', t => trySettings(t, target));
    await t.test('the figures for monitoring: no page reads them, by no spelling', t => tryMetrics(t, target));
    await t.test('what a program can: it sends any header, and is no page', t => tryProgram(t, target));
    if (mode === 'ask') await t.test('over IPv6 too', t => tryIpv6(t, target));
  });
