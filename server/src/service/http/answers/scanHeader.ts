/** The header `Platen-Scan` of a document, and its trailer: how the scan ended, which the document does not say. */
import type { KeptScan } from '@platen/core';

export const scanHeader = 'Platen-Scan';

/** `running`, `completed`, `failed;code=paper-jam`. */
export function scanHeaderOf({ state, code }: Pick<KeptScan, 'state' | 'code'>): string {
  return code === undefined ? state : `${state};code=${code}`;
}
