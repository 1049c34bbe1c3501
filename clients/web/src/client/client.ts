/** A client: all calls of one service. */
import { fetchOnLoopback } from './transport/addressSpace.js';
import { autoScan, type AutoScan, type AutoScanOptions } from './autoscan/autoscan.js';
import { cancel } from './scans/cancel.js';
import { diagnose, type Diagnosis } from './diagnosis/diagnose.js';
import { fetchPagesDocument, type Interleave, type PagesDocumentOptions, type WantedPage } from './scans/document.js';
import { followFeatures } from './features.js';
import { health } from './diagnosis/health.js';
import type { Scan } from './scans/keptScan.js';
import { ready, type ReadyOptions } from './diagnosis/ready.js';
import { scan, type ScanOptions } from './scans/scan.js';
import { capabilities, featureEvents, features, listScanners, profiles, type DetailOptions } from './scanners.js';
import type { CallOptions } from './transport/ask.js';
import { serviceAt, type ClientOptions } from './service.js';
import { startAutoScan, type StartedAutoScan } from './scans/startAutoScan.js';
import { listScans, resumeScan, startScan, type StartOptions } from './scans/startScan.js';
import type {
  Capabilities,
  FeatureList,
  Health,
  ScanParameters,
  Scanner,
  ScanResult,
  StartParameters,
  Status,
  Version,
} from './shapes.js';

export interface Client {
  /** The service's address. */
  readonly baseUrl: string;
  /** An empty list: no scanner is connected, or its driver is not installed. */
  listScanners(options?: DetailOptions): Promise<readonly Scanner[]>;
  /** @param options `details`: with what the plugins of the service add */
  capabilities(scanner: string, options?: DetailOptions): Promise<Capabilities>;
  /**
   * Starts a scan that the service keeps until you call its `done()`: its pages come as they are finished, and survive a
   * closed page and a service that ends. Aborting the signal cancels; the loop gives what was scanned, then throws
   * `cancelled`.
   * @throws PlatenError if the service refuses; no paper moved
   */
  startScan(scanner: string, parameters?: StartParameters, options?: StartOptions): Promise<Scan>;
  /**
   * Auto-scan whose pages stay at the service until they are done with, as those of `startScan()`: it is among
   * `listScans()` while it is on, too. The signal turns it off, and so does `scan.cancel()`.
   * @param scanner undefined: the open scanner
   */
  startAutoScan(
    scanner: string | undefined,
    parameters?: ScanParameters,
    options?: ScanOptions,
  ): Promise<StartedAutoScan>;
  /** A scan that this origin started, also before a reload. @throws `scan-not-found` */
  resumeScan(id: string, options?: CallOptions): Promise<Scan>;
  /** This origin's scans that are not done, oldest first, also those that run. */
  listScans(options?: CallOptions): Promise<readonly Scan[]>;
  /**
   * One file of pages of any scans of this origin, in this order, whole. Each page must be there already.
   * @param pages 1 to 20,000; one may occur several times. Or the fronts and backs of a stack that a one-sided feeder
   *   scanned, which become one document in the order of the sheets
   * @throws PlatenError; `invalid-value` for an unknown format or page, or unequal counts of fronts and backs, `scan-not-found`, `storage-failed` if a page is damaged
   */
  document(pages: readonly WantedPage[] | Interleave, options?: PagesDocumentOptions): Promise<Blob>;
  /**
   * Scans, with all pages in one answer. A closed page cancels it; what was scanned is then in `listScans()`.
   * @throws PlatenError with the pages that were finished before the failure or the abort
   */
  scan(scanner: string, parameters?: ScanParameters, options?: ScanOptions): Promise<ScanResult>;
  /**
   * A loop over the pages of every document inserted into the feeder: enabled while the loop runs, disabled when it ends
   * or the signal is aborted. The loop ends when auto-scan is turned off elsewhere (`end` says why), and throws if it
   * cannot continue. A loop that takes no page for minutes stops the scanner.
   * @param scanner undefined: the open scanner
   */
  autoScan(scanner: string | undefined, parameters?: ScanParameters, options?: AutoScanOptions): AutoScan;
  /**
   * Ends the scans of this page's origin, or the one with that id, after the current sheet. The scan's promise rejects with `cancelled`
   * and its pages.
   */
  cancel(requestId?: string, options?: CallOptions): Promise<string>;
  /** Parameters that the service's configuration has under names, for `profile`. */
  profiles(options?: CallOptions): Promise<Readonly<Record<string, StartParameters>>>;
  /** What the loaded plugins let a page ask for, and why other features are off. @throws `unknown-path` if the service is too old */
  features(options?: CallOptions): Promise<FeatureList>;
  /**
   * A loop over that list: now, and whenever plugins were switched, updated or licensed while the service runs. It goes on
   * until `break` or the signal, also over restarts of the service, and has no connection while the document is hidden.
   * It does not ask the person: begin it after another call succeeded.
   * @throws PlatenError `cancelled`; `consent-required` or `consent-refused` if the page may not scan, or not any more
   */
  followFeatures(options?: CallOptions): AsyncIterableIterator<FeatureList, void, undefined>;
  status(options?: CallOptions): Promise<Status>;
  /** @throws `unknown-path` if the service is too old to have this call */
  version(options?: CallOptions): Promise<Version>;
  health(options?: CallOptions): Promise<Health>;
  /** Why scanning fails, and how to fix it. Rejects only for an aborted signal. */
  diagnose(options?: CallOptions): Promise<Diagnosis>;
  /**
   * Whether this page can scan now. If the browser would have to ask the user first, or denies, no request is sent and
   * the finding says so. With `ask`, the browser may ask, and the call waits until the user has answered. Otherwise the
   * same as `diagnose()`. Rejects only for an aborted signal.
   */
  ready(options?: ReadyOptions): Promise<Diagnosis>;
}

/** The same options; without a `fetch`, with one that tells the browser where the service is. */
function located(options: ClientOptions): ClientOptions {
  const value = options.fetch ?? fetchOnLoopback(serviceAt(options).baseUrl);
  return value ? (Object.create(options, { fetch: { value } }) as ClientOptions) : options;
}

export function createClient(options: ClientOptions = {}): Client {
  const service = serviceAt(located(options));
  return {
    baseUrl: service.baseUrl,
    listScanners: given => listScanners(service, given),
    capabilities: (scanner, given) => capabilities(service, scanner, given),
    startScan: (scanner, parameters, given) => startScan(service, scanner, parameters, given),
    startAutoScan: (scanner, parameters, given) => startAutoScan(service, scanner, parameters, given),
    resumeScan: (id, given) => resumeScan(service, id, given),
    listScans: given => listScans(service, given),
    document: (pages, given) => fetchPagesDocument(service, pages, given),
    scan: (scanner, parameters, given) => scan(service, scanner, parameters, given),
    autoScan: (scanner, parameters, given) => autoScan(service, scanner, parameters, given),
    cancel: (requestId, given) => cancel(service, requestId, given),
    profiles: given => profiles(service, given),
    features: given => features(service, given),
    followFeatures: given => followFeatures(events => featureEvents(service, events), given),
    status: async given => service.json<Status>('/api/twain/status', given),
    version: async given => service.json<Version>('/api/twain/version', given),
    health: async given => health(service, given),
    diagnose: given => diagnose(service, given),
    ready: given => ready(service, given),
  };
}
