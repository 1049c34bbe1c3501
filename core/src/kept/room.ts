/** The room for kept scans: those that their clients have make room for others. */
import { ScanError } from '../contract/errors.js';
import type { ScanRecord } from './keptScan.js';

/**
 * Lets delivered scans go, in this order, until the others have less than `keepBytes`.
 * @param letGo returns false for a scan that must stay
 * @returns whether there is room
 */
export function makeRoom(
  scans: readonly ScanRecord[],
  keepBytes: number,
  letGo: (scan: ScanRecord) => boolean,
): boolean {
  let left = scans.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const scan of scans) {
    if (left < keepBytes) break;
    const { bytes, isDelivered } = scan;
    if (isDelivered && bytes > 0 && letGo(scan)) left -= bytes;
  }
  return left < keepBytes;
}

/** There is none. */
export function storageFull(keepBytes: number): ScanError {
  const size = keepBytes >= 1e9 ? `${Math.round(keepBytes / 1e8) / 10} GB` : `${Math.round(keepBytes / 1e5) / 10} MB`;
  const text = `Scans that were not fetched fill the ${size} of scans.keepBytes. Fetch or delete some of them, or raise that limit.`;
  return new ScanError('storage-full', text);
}
