/** A client: every call of the service, at one address. */
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
  /** Ends the running scan, or the one of that id, after the sheet in hand; its promise rejects with `cancelled` and its pages. */
  cancel(requestId?: string, options?: CallOptions): Promise<string>;
  status(options?: CallOptions): Promise<Status>;
  /** @throws `wrong-version` where the service is too old to say */
  version(options?: CallOptions): Promise<Version>;
  health(options?: CallOptions): Promise<Health>;
}

export function createClient(options: ClientOptions = {}): Client {
  const service = serviceAt(options);
  return {
    baseUrl: service.baseUrl,
    listScanners: async given => (await service.json<{ scanners: Scanner[] }>('/api/twain/scanners', given)).scanners,
    capabilities: async (scanner, given) => (await service.json<{ capabilities: Capabilities }>(`/api/twain/scanners/${encodeURIComponent(scanner)}/capabilities`, given)).capabilities,
    scan: (scanner, parameters, given) => scan(service, scanner, parameters, given),
    cancel: (requestId, given) => cancel(service, requestId, given),
    status: async given => service.json<Status>('/api/twain/status', given),
    version: async given => service.json<Version>('/api/twain/version', given),
    health: async given => (await (await service.ask('/health', given)).text()).trim() as Health,
  };
}
