/** Which pages of a set the recogniser gets wrong. */
import type { Blank, RawPage } from '@platen/core/plugin';
import { judge } from './judge.js';
import { createSharedRows } from './page/sharedRows.js';
import type { SetPage } from './testing/pageSet.js';

const rows = createSharedRows();
const calm = new AbortController().signal;

export async function judged(page: RawPage): Promise<Blank> {
  return judge(await rows.copy(page, calm));
}

export interface Measured {
  readonly page: SetPage;
  readonly found: Blank;
  readonly ms: number;
}

export async function* measured(pages: readonly SetPage[]): AsyncGenerator<Measured & { readonly raw: RawPage }> {
  for (const page of pages) {
    const raw = await page.draw();
    const began = performance.now();
    const found = await judged(raw);
    yield { page, raw, found, ms: performance.now() - began };
  }
}
