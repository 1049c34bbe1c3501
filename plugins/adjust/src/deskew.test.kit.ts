/** Checks of deskewing that the usual and the long tests share. */
import type { RawPage } from '@platen/core/plugin';
import type { Test } from 'tap';
import type { Outcome } from './adjustPage.js';
import { deskewed, skewOf } from './deskew.js';
import { downsample } from './analysis/downsample.js';
import { pageOf, sample, type SampleName } from './samples.test.kit.js';

/** Degrees that may be left. */
export const WANTED = 0.2;

export function angleOf(page: RawPage | undefined): number {
  if (!page) return NaN;
  const found = skewOf(downsample(page, page.dpi, 100));
  return 'degrees' in found ? found.degrees : NaN;
}

export function pageIn(result: Outcome, dpi = 200): RawPage | undefined {
  return 'page' in result ? pageOf(result.page, dpi) : undefined;
}

export async function measuresAngles(t: Test, name: SampleName, angles: readonly number[]): Promise<void> {
  const off: string[] = [];
  for (const skew of angles) {
    const found = angleOf(await sample(name, { skew, grain: 4, dpi: 100 }));
    if (!(Math.abs(found - skew) <= WANTED)) off.push(`${skew}°: measured ${found}°`);
  }
  t.strictSame(off, []);
}

export function straightens(t: Test, page: RawPage, what: string): void {
  const left = angleOf(pageIn(deskewed(page, page.dpi), page.dpi));
  t.ok(Math.abs(left) <= WANTED, `${what}: ${left}° are left`);
}
