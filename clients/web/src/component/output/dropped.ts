/** Which blank pages the scans leave out of documents. */
import type { Scan } from '../../client/scans/keptScan.js';
import { keptAt, type Sheet } from '../pages/page.js';
import type { SavingOptions } from './saving.js';

/** @param scanOf the scan with this id, if it is shown */
export const droppedOf =
  (scanOf: (id: string) => Scan | undefined): SavingOptions['droppedOf'] =>
  async (blank, signal): Promise<readonly Sheet[]> => {
    const scans = new Set(blank.map(({ page }) => keptAt(page)?.scan));
    const documented = new Set<string>();
    for (const id of scans) {
      const documents = await scanOf(id ?? '')?.documents({ signal });
      for (const number of documents?.flatMap(each => each.pages) ?? []) documented.add(`${id}/${number}`);
    }
    return blank.filter(({ id, page }) => keptAt(page) !== undefined && !documented.has(id));
  };
