/** Runs the processors with names of their own that a request asks for: after the adjustments. */
import { plainWordsOf } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import { readAdjusted, type ProcessingOutcome } from './adjust.js';
import type { Work } from './work.js';

/** The parameter of a processor, in reports. */
export const processField = (name: string): `process.${string}` => `process.${name}`;

/** If a processor fails, its step is skipped; the page is kept. */
export async function processPage(
  adjusted: RawPage,
  pageNumber: number,
  { plan, call, note }: Work,
): Promise<{ page: RawPage; processing: ProcessingOutcome[] }> {
  const processing: ProcessingOutcome[] = [];
  let page = adjusted;
  for (const { processor, options } of plan.processors) {
    const adjustment = processField(processor.name);
    try {
      const result = readAdjusted(await processor.apply(page, structuredClone(options), call), page);
      if (result.applied) page = result.page;
      processing.push(
        result.applied
          ? { adjustment, by: 'software' }
          : { adjustment, by: 'nobody', why: result.why ?? 'there was nothing to do' },
      );
    } catch (error) {
      const why = plainWordsOf(error);
      note({ code: 'processor-failed', text: `Page ${pageNumber} is without ${processor.name}: it failed (${why}).` });
      processing.push({ adjustment, by: 'nobody', why });
    }
  }
  return { page, processing };
}
