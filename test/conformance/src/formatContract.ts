/** The published suite for formats: every case is a test of its own. */
import type { Format } from '@platen/core/plugin';
import { runCases, type ContractTest, type Suite } from './contractTest.js';
import { formatCases } from './formatCases.js';

export interface FormatRig {
  readonly format: Format;
  /** Reads a file's own header, by other means than the format under test. */
  readBack?(bytes: Uint8Array): WrittenFacts | Promise<WrittenFacts>;
  dispose?(): Promise<void>;
}

export type KnownMagic = 'PNG' | 'JPEG' | 'TIFF' | 'BMP';

/** What a file says of itself. */
export interface WrittenFacts {
  readonly width: number;
  readonly height: number;
  /** Pixels per inch, rounded to a whole number; absent if the format stores none. */
  readonly dpi?: number;
  /** Bits per pixel: 1, 8 or 24. */
  readonly depth: number;
}

export interface FormatFeatures {
  /** Loses detail, and takes `quality` into account. */
  readonly lossy: boolean;
  /** Has `decode`. */
  readonly decodes: boolean;
  /** The rig has `readBack`. */
  readonly readsBack: boolean;
  /** Bits per pixel of a file made of a `bw1` page. */
  readonly bilevelDepth: 1 | 8 | 24;
  /** The same of a `gray8` page. Absent: 8. */
  readonly greyDepth?: 8 | 24;
  /** Absent: its files say their resolution. */
  readonly storesResolution?: boolean;
  /** How a file begins: its bytes, or a format whose beginning the suite knows. */
  readonly magic: Uint8Array | KnownMagic;
}

export async function formatContract(t: ContractTest, suite: Suite<FormatRig, FormatFeatures>): Promise<void> {
  await runCases(t, formatCases, suite);
}
