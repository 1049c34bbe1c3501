/** The parts that the routes use; composed once per service. */
import type { Clock, Health, KeptScans, Log, Registry, ScanService, Semaphore } from '@platen/core';
import type { Consent } from './consent/consent.js';
import type { Desktop } from './desktop.js';
import type { Features, LoadedNow } from './features.js';
import type { ForPages } from './http/answers/forPages.js';
import type { Profiles } from './parameters/profiles.js';
import type { Metrics } from './metrics/metrics.js';
import type { Clients } from './responses/clients.js';
import type { Thumbnails } from './responses/thumbnails.js';
import type { SettingsDesk } from './settings/desk.js';

export interface RouteParts {
  readonly scans: ScanService;
  readonly kept: KeptScans;
  /** Whether kept scans outlive the service. */
  readonly keepsPages: boolean;
  readonly consent: Consent;
  readonly registry: Registry;
  readonly plugins: LoadedNow;
  readonly features: Features;
  readonly settings: SettingsDesk;
  /** The plugins'. */
  readonly health: Health;
  /** For work on pixels: as much at a time as the computer has processors. */
  readonly pool: Semaphore;
  readonly desktop: Desktop;
  readonly clock: Clock;
  readonly log: Log;
  /** Shortens the paths in a sentence for pages. */
  readonly forPages: ForPages;
  /** Their content changes when the configuration does. */
  readonly profiles: Profiles;
  readonly clients: Clients;
  readonly thumbnails: Thumbnails;
  /** Undefined: `metrics.enabled` is false. */
  readonly metrics: Metrics | undefined;
  /** Four-part: the package's version and a build number. */
  readonly version: string;
  /** @throws if the data folder cannot be used */
  check(): Promise<void>;
}
