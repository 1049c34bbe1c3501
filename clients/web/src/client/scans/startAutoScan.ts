/** Auto-scan as a scan that the service keeps: its pages stay until they are done with, also over a reload. */
import { newId } from './cancel.js';
import { keptScan, type Scan, type WireScan } from './keptScan.js';
import { left } from './leaving.js';
import type { Ask, Service } from '../transport/ask.js';
import { cancelled } from '../errors.js';
import { scanPath } from '../service.js';
import type { ScanOptions } from './scan.js';
import type { Note, ScanParameters } from '../shapes.js';

export interface StartedAutoScan {
  /**
   * It runs until it is cancelled, turned off elsewhere, or not followed for minutes: `pages()` gives each page of what is
   * inserted. Its `kind` is `autoscan`.
   */
  readonly scan: Scan;
  /** Each parameter that the scanner cannot follow, and that a scanner does not report its paper. */
  readonly notes: readonly Note[];
}

/** The service's answer to enabling auto-scan. */
interface Enabled {
  readonly scan: string;
  readonly notes?: readonly Note[];
}

/** @throws PlatenError if the service refuses; @param scannerName undefined: the open scanner */
export async function startAutoScan(
  service: Service,
  scannerName: string | undefined,
  parameters: ScanParameters = {},
  { signal, consent = signal, requestId = newId() }: ScanOptions & Pick<Ask, 'consent'> = {},
): Promise<StartedAutoScan> {
  await left(service);
  if (signal?.aborted) throw cancelled(signal);
  const body = { parameters: { ...parameters, report: true }, scannerName, keep: true, requestId };
  const { scan, notes = [] } = await service.json<Enabled>('/api/twain/autoscan/enable', {
    method: 'POST',
    body,
    consent,
  });
  return { scan: keptScan(service, await service.json<WireScan>(scanPath(scan)), signal), notes };
}
