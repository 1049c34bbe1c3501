/** The published suite for recognisers: every case is a test of its own. */
import type { Barcode, CustomRecogniser, RawPage, Recogniser } from '@platen/core/plugin';
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { recogniserCases } from './recogniserCases.js';

export interface RecogniserRig {
  readonly recogniser: Recogniser | CustomRecogniser;
  /** A page to read, black on white; the suite also shows it in fewer colours. A new buffer with each call. */
  page(): RawPage | Promise<RawPage>;
  /**
   * What is on it. Barcodes in reading order, two of them at least and of two symbologies; or words, which are
   * looked for one after the other in the text; or a patch code, along one edge at least. Absent for `blank`: the page
   * has content.
   */
  readonly holds?: readonly Pick<Barcode, 'text' | 'barcodeType'>[] | string;
  /** Of another kind: what core hands over, with the schema's defaults. `{}` when absent. */
  readonly wishes?: Readonly<Record<string, unknown>>;
  /** Of another kind: what it finds on the page with these wishes. */
  readonly finds?: unknown;
  dispose?(): Promise<void>;
}

export interface RecogniserFeatures {
  /** A known one, or its own. */
  readonly kind: Recogniser['kind'] | (string & {});
  /** A recogniser of text that also says where the words are. */
  readonly words?: true;
}

export async function recogniserContract(
  t: ContractTest,
  suite: Suite<RecogniserRig, RecogniserFeatures>,
): Promise<void> {
  await runCases(t, recogniserCases, suite);
}
