/** Applies in software the requested adjustments that the device did not apply. */
import { plainWordsOf } from '../contract/errors.js';
import type { Page, Pixels, RawPage } from '../contract/page.js';
import type { Adjusted, Processor, ProcessorTask } from '../contract/processor.js';
import { fieldsOf, flagOf, optional, labelOf } from '../checks/fields.js';
import { checkedPage } from '../checks/pageFields.js';
import { pageControls } from '../contract/controls.js';
import type { ColorMode } from '../contract/words.js';
import { hasProcessor } from '../registry/capabilities.js';
import type { Work } from './work.js';

/** The result of an adjustment or control, or of a processor with a name, that was requested for a page. */
export interface ProcessingOutcome {
  readonly adjustment: ProcessorTask | `process.${string}`;
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
  const needed = new Set<ProcessorTask>();
  for (const adjustment of plan.adjustments) {
    if (adjustment === 'turn' && page.side === 'front') continue;
    if (page.adjusted?.includes(adjustment)) processing.push({ adjustment, by: 'device' });
    else needed.add(adjustment);
  }
  for (const control of pageControls) {
    if (plan.controls[control] === undefined) continue;
    if (page.adjusted?.includes(control)) processing.push({ adjustment: control, by: 'device' });
    else needed.add(control);
  }
  const reduces = needed.has('threshold') && hasProcessor(software, 'threshold') && page.pixels !== 'bw1';
  if (!reduces && richness[page.pixels] > richness[pixelsOf[plan.colorMode]]) needed.add('color');
  const processors = software.processors.filter(
    (each): each is Processor => each.adjustment !== undefined && needed.has(each.adjustment),
  );
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
      const wish = { ...work.plan.controls, colorMode: work.plan.colorMode };
      const result = readAdjusted(await processor.apply(page, wish, work.call), page);
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

/**
 * What a processor returned for a page, which stays the same side of the same sheet.
 * @throws TypeError for a page that is not whole: no format could encode it
 */
export function readAdjusted(result: unknown, given: RawPage): Adjusted {
  const fields = fieldsOf(result, 'its result');
  if (!flagOf(fields, 'applied')) return { page: given, applied: false, ...optional(fields, 'why', labelOf) };
  const page = checkedPage(fields['page'], Infinity);
  if (page.kind !== 'raw') throw new TypeError('its page is not raw');
  return { page: { ...page, sheet: given.sheet, side: given.side }, applied: true };
}
