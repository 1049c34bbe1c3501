/** Applies in software the requested adjustments that the device did not apply. */
import { plainWordsOf } from '../contract/errors.js';
import type { Page, Pixels, RawPage } from '../contract/page.js';
import type { Processor } from '../contract/processor.js';
import type { Adjustment, ColorMode } from '../contract/words.js';
import type { Work } from './work.js';

/** The result of an adjustment that was requested for a page. */
export interface ProcessingOutcome {
  readonly adjustment: Adjustment | 'color';
  readonly by: 'device' | 'software' | 'nobody';
  /** Why it was not applied. */
  readonly why?: string;
}

export interface Steps {
  readonly processors: readonly Processor[];
  /** Results of the adjustments that need no processor here, or have none. */
  readonly processing: readonly ProcessingOutcome[];
}

const richness: Readonly<Record<Pixels, number>> = { rgb24: 3, gray8: 2, bw1: 1 };
export const pixelsOf: Readonly<Record<ColorMode, Pixels>> = {
  Color: 'rgb24',
  Grayscale: 'gray8',
  BlackAndWhite: 'bw1',
};

/** Selects the processors that this page needs. */
export function stepsFor(page: Page, { plan, software }: Work): Steps {
  const processing: ProcessingOutcome[] = [];
  const needed = new Set<Adjustment | 'color'>();
  for (const adjustment of plan.adjustments) {
    if (adjustment === 'turn' && page.side === 'front') continue;
    if (page.adjusted?.includes(adjustment)) processing.push({ adjustment, by: 'device' });
    else needed.add(adjustment);
  }
  if (richness[page.pixels] > richness[pixelsOf[plan.colorMode]]) needed.add('color');
  const processors = software.processors.filter(processor => needed.has(processor.adjustment));
  for (const adjustment of needed) {
    if (processors.some(processor => processor.adjustment === adjustment)) continue;
    processing.push({ adjustment, by: 'nobody', why: 'neither the scanner nor a loaded plugin did it' });
  }
  return { processors, processing };
}

/** If a processor fails, its step is skipped; the page is kept. */
export async function adjust(
  raw: RawPage,
  steps: Steps,
  pageNumber: number,
  work: Work,
): Promise<{ page: RawPage; processing: ProcessingOutcome[] }> {
  const processing = [...steps.processing];
  let page = raw;
  for (const processor of steps.processors) {
    const adjustment = processor.adjustment;
    try {
      const result = await processor.apply(page, { colorMode: work.plan.colorMode }, work.call);
      if (result.applied) page = result.page;
      processing.push(
        result.applied
          ? { adjustment, by: 'software' }
          : { adjustment, by: 'nobody', why: result.why ?? 'there was nothing to do' },
      );
    } catch (error) {
      const text = `Page ${pageNumber} is unchanged: ${adjustment} failed (${plainWordsOf(error)}).`;
      work.note({ code: 'adjustment-failed', text });
      processing.push({ adjustment, by: 'nobody', why: plainWordsOf(error) });
    }
  }
  return { page, processing };
}
