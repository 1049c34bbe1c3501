/** A client: every call of the service, at one address. */
import { autoScan, type AutoScan, type AutoScanOptions } from './autoscan.js';
import { diagnose, type Diagnosis } from './diagnose.js';
import { health } from './health.js';
import { scan, cancel, type ScanOptions } from './scan.js';
import { serviceAt, type CallOptions, type ClientOptions } from './service.js';
import type { Capabilities, Health, ScanParameters, Scanner, ScanResult, Status, Version } from './shapes.js';

export interface Client {
  /** Where the service is. */
  readonly baseUrl: string;
  /** An empty list: no scanner is connected, or its driver is not installed. */
  listScanners(options?: CallOptions): Promise<readonly Scanner[]>;
  capabilities(scanner: string, options?: CallOptions): Promise<Capabilities>;
  /** @throws PlatenError with the pages that went through before it failed, or before the signal was aborted */
  scan(scanner: string, parameters?: ScanParameters, options?: ScanOptions): Promise<ScanResult>;
  /**
   * A loop over the pages of whatever is put into the feeder: on while the loop runs, off when it is left or the signal is aborted. The loop ends
   * when somebody turns auto-scan off (`end` says why), and throws where it cannot go on. A loop that takes no page for minutes holds the scanner up.
   * @param scanner undefined: the one that is open
   */
  autoScan(scanner: string | undefined, parameters?: ScanParameters, options?: AutoScanOptions): AutoScan;
  /** Ends the running scan, or the one of that id, after the sheet in hand; its promise rejects with `cancelled` and its pages. */
  cancel(requestId?: string, options?: CallOptions): Promise<string>;
  status(options?: CallOptions): Promise<Status>;
  /** @throws `wrong-version` where the service is too old to say */
  version(options?: CallOptions): Promise<Version>;
  health(options?: CallOptions): Promise<Health>;
  /** Why nothing is scanned, and what to do about it; call it when something failed. Never rejects, but for an aborted signal. */
  diagnose(options?: CallOptions): Promise<Diagnosis>;
}

export function createClient(options: ClientOptions = {}): Client {
  const service = serviceAt(options);
  return {
    baseUrl: service.baseUrl,
    listScanners: async given => (await service.json<{ scanners: Scanner[] }>('/api/twain/scanners', given)).scanners,
    capabilities: async (scanner, given) =>
      (
        await service.json<{ capabilities: Capabilities }>(
          `/api/twain/scanners/${encodeURIComponent(scanner)}/capabilities`,
          given,
        )
      ).capabilities,
    scan: (scanner, parameters, given) => scan(service, scanner, parameters, given),
    autoScan: (scanner, parameters, given) => autoScan(service, scanner, parameters, given),
    cancel: (requestId, given) => cancel(service, requestId, given),
    status: async given => service.json<Status>('/api/twain/status', given),
    version: async given => service.json<Version>('/api/twain/version', given),
    health: async given => health(service, given),
    diagnose: given => diagnose(service, given),
  };
}
