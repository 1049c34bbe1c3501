/** Turns one scanned page into a file: adjust, recognise, encode. */
import { plainWordsOf, ScanError } from '../contract/errors.js';
import type { EncodedPage, Page, RawPage } from '../contract/page.js';
import { soundPage } from './soundPage.js';
import { adjust, stepsFor, type Steps, type ProcessingOutcome } from './adjust.js';
import { recognise, recognises, type Recognised } from './recognise.js';
import { release } from './release.js';
import { processField, processPage } from './process.js';
import { otherSize, reportOf, type Reported } from './report.js';
import { noteOnField } from './notes.js';
import { untimed } from './stages.js';
import type { Work } from './work.js';

/** A page as clients get it. */
export interface FinishedPage extends Recognised {
  /** 1-based; counts sides. */
  readonly pageNumber: number;
  readonly sheet: number;
  readonly side: 'front' | 'back';
  readonly width: number;
  readonly height: number;
  readonly dpi: number;
  /** The format's name, such as `Png`. */
  readonly format: string;
  readonly mimeType: string;
  readonly data: Uint8Array;
  readonly processing: readonly ProcessingOutcome[];
  /** What was requested for it, and the result. */
  readonly report: readonly Reported[];
}

/** @throws `driver-failed` if the page is not a complete image */
export async function finishPage(page: Page, pageNumber: number, work: Work): Promise<FinishedPage> {
  const { timed = untimed } = work;
  const other = otherSize(page, work.plan);
  if (other !== undefined)
    work.note(noteOnField('area-changed', 'area', `was not followed exactly: ${other}, because it rounds.`));
  const steps = stepsFor(page, work);
  /** Whether a step failed: it may still use the page. */
  let isUsed = false;
  const watched: Work = {
    ...work,
    note(note) {
      isUsed = true;
      work.note(note);
    },
  };
  const done = (pixels: Uint8Array): void => {
    if (!isUsed) release(pixels);
  };
  const changed = await changedPage(page, steps, pageNumber, watched, done);
  if (!changed) return asDelivered(page as EncodedPage, pageNumber, steps, work);

  const { adjusted, isChanged, processing } = changed;
  const { format } = work.plan;
  const [recognised, data] = await Promise.all([
    (recognises(work) ? timed : untimed)('recognise', () => recognise(adjusted, pageNumber, watched)),
    page.kind === 'encoded' && !isChanged && page.mimeType === format.mimeType
      ? page.data
      : timed('encode', () => encoded(adjusted, pageNumber, work)),
  ]);
  if (adjusted.data.buffer !== data.buffer) done(adjusted.data);
  const { sheet, side, width, height, dpi } = adjusted;
  return {
    pageNumber,
    sheet,
    side,
    width,
    height,
    dpi,
    format: format.name,
    mimeType: format.mimeType,
    data,
    ...recognised,
    processing,
    report: reportOf(page, work.plan, processing, recognised.findings),
  };
}

interface Changed {
  readonly adjusted: RawPage;
  /** Whether a step changed it. */
  readonly isChanged: boolean;
  readonly processing: readonly ProcessingOutcome[];
}

/**
 * The page's pixels after all steps that change them. What it was before is given back here: to read its text takes
 * seconds.
 * @param done gets pixels that no step needs any more
 * @returns undefined if its pixels are not needed, or no loaded format decodes it
 */
async function changedPage(
  page: Page,
  steps: Steps,
  pageNumber: number,
  work: Work,
  done: (pixels: Uint8Array) => void,
): Promise<Changed | undefined> {
  const { timed = untimed } = work;
  const raw =
    page.kind === 'raw'
      ? page
      : await timed('decode', () => soundPage(page, pageNumber, needsPixels(page, steps, work), work));
  if (!raw) return undefined;
  const changes = steps.processors.length > 0 || work.plan.processors.length > 0;
  const [improved, { page: adjusted, processing }] = await (changes ? timed : untimed)('adjust', async () => {
    const first = await adjust(raw, steps, pageNumber, work);
    return [first, await processPage(first.page, pageNumber, work)] as const;
  });
  for (const pixels of new Set([raw.data, improved.page.data]))
    if (pixels.buffer !== adjusted.data.buffer) done(pixels);
  return { adjusted, isChanged: adjusted !== raw, processing: [...improved.processing, ...processing] };
}

async function encoded(page: RawPage, pageNumber: number, { plan, call }: Work): Promise<Uint8Array> {
  try {
    const bytes: unknown = await plan.format.encode(page, { quality: plan.quality }, call);
    if (bytes instanceof Uint8Array && bytes.length > 0) return bytes;
    throw new TypeError('the format returned no bytes');
  } catch (error) {
    throw new ScanError(
      'internal',
      `Page ${pageNumber} could not be encoded as ${plan.format.name}: ${plainWordsOf(error)}.`,
      { cause: error },
    );
  }
}

/** Whether an encoded page must be decoded and encoded again. */
function needsPixels({ mimeType }: EncodedPage, { processors }: Steps, work: Work): boolean {
  const { format, processors: own } = work.plan;
  return mimeType !== format.mimeType || processors.length > 0 || own.length > 0 || recognises(work);
}

/** The interface's spelling, for formats that are not loaded. */
const formatNames: Readonly<Record<EncodedPage['mimeType'], string>> = {
  'image/jpeg': 'Jpeg',
  'image/png': 'Png',
  'image/tiff': 'Tiff',
};

function asDelivered(page: EncodedPage, pageNumber: number, steps: Steps, { software, plan }: Work): FinishedPage {
  const { sheet, side, width, height, dpi, mimeType, data } = page;
  const format = software.formats.find(each => each.mimeType === mimeType)?.name ?? formatNames[mimeType];
  const processing = [
    ...steps.processing,
    ...[
      ...steps.processors.map(each => each.adjustment),
      ...plan.processors.map(({ processor }) => processField(processor.name)),
    ].map(adjustment => ({ adjustment, by: 'nobody' as const, why: 'the page could not be decoded' })),
  ];
  return {
    pageNumber,
    sheet,
    side,
    width,
    height,
    dpi,
    format,
    mimeType,
    data,
    ocrText: '',
    barcodes: [],
    ...(plan.finders.length > 0 ? { findings: {} } : {}),
    processing,
    report: reportOf(page, plan, processing),
  };
}
