/** The barcode recogniser: the contract's face of the pool. */
import type { BarcodeRecogniser } from '@platen/core/plugin';
import type { Pool } from './pool.js';

export function barcodeRecogniser(pool: Pool): BarcodeRecogniser {
  return {
    kind: 'barcode',
    async read(page, wishes, { signal }) {
      signal.throwIfAborted();
      return pool.run({ page, wishes }, signal);
    },
  };
}
