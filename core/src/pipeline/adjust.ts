/** Does in software what was wished and what the device did not do. */
import { plainWordsOf } from '../contract/errors.js';
import type { Page, Pixels, RawPage } from '../contract/page.js';
import type { Processor } from '../contract/processor.js';
import type { Adjustment, ColorMode } from '../contract/words.js';
import type { Work } from './work.js';

/** What became of a wish that is about the page itself. */
export interface Treatment {
  readonly wish: Adjustment | 'color';
  readonly by: 'device' | 'software' | 'nobody';
  /** Why nobody did it. */
  readonly why?: string;
}

export interface Steps {
  readonly processors: readonly Processor[];
  /** Of the wishes that need no processor here, or have none. */
  readonly treatment: readonly Treatment[];
}

const richness: Readonly<Record<Pixels, number>> = { rgb24: 3, gray8: 2, bw1: 1 };
export const pixelsOf: Readonly<Record<ColorMode, Pixels>> = { Color: 'rgb24', Grayscale: 'gray8', BlackAndWhite: 'bw1' };

/** Which processors this page needs. */
export function stepsFor(page: Page, { plan, software }: Work): Steps {
  const treatment: Treatment[] = [];
  const needed = new Set<Adjustment | 'color'>();
  for (const wish of plan.adjustments) {
    if (wish === 'turn' && page.side === 'front') continue;
    if (page.adjusted?.includes(wish)) treatment.push({ wish, by: 'device' });
    else needed.add(wish);
  }
  if (richness[page.pixels] > richness[pixelsOf[plan.colorMode]]) needed.add('color');
  const processors = software.processors.filter(processor => needed.has(processor.adjustment));
  for (const wish of needed) {
    if (processors.some(processor => processor.adjustment === wish)) continue;
    treatment.push({ wish, by: 'nobody', why: 'the scanner did not do it, and no plugin that does is loaded' });
  }
  return { processors, treatment };
}

/** A processor that fails costs its step, never the page. */
export async function adjust(raw: RawPage, steps: Steps, pageNumber: number, work: Work): Promise<{ page: RawPage; treatment: Treatment[] }> {
  const treatment = [...steps.treatment];
  let page = raw;
  for (const processor of steps.processors) {
    const wish = processor.adjustment;
    try {
      const result = await processor.apply(page, { colorMode: work.plan.colorMode }, work.call);
      if (result.applied) page = result.page;
      treatment.push(result.applied ? { wish, by: 'software' } : { wish, by: 'nobody', why: result.why ?? 'there was nothing to do' });
    } catch (error) {
      work.note(`Page ${pageNumber} stays as it was scanned: ${wish} failed (${plainWordsOf(error)}).`);
      treatment.push({ wish, by: 'nobody', why: plainWordsOf(error) });
    }
  }
  return { page, treatment };
}
