/**
 * The driver contract: what lies between Platen and a scanner.
 *
 * A driver promises:
 *  1. A `perSheet` device feeds no sheet that was not pulled (the two sides of a sheet are one pull). A `continuous`
 *     device may overshoot, but yields every sheet that it fed.
 *  2. `stop` feeds nothing more; the pages already in the path are yielded; the iterable ends. `return()` on the
 *     iterator does the same and frees the session.
 *  3. `signal` abandons: the paper stops as soon as the device allows, `signal.reason` is thrown, and the session is
 *     left usable or says `device-offline`. A driver that does not react within core's grace time is closed and reopened.
 *  4. A second `scan` on a session is `busy`. A feeder that is empty before the first page is `no-paper`; after it,
 *     the iterable simply ends.
 *  5. Pages come in physical order, front before back. A wish may be ignored; what a page says of itself is always
 *     true. A page torn off by a jam is never yielded as a whole one.
 *  6. A page's buffer is given away and never reused. A page over `maxPixels` is refused before it is allocated.
 *  7. Importing a driver's package on a foreign operating system does nothing at all.
 *  8. A driver never encodes, re-feeds, deskews in software, reads codes, or fills in a default that it does not own.
 *  9. Every failure carries a code of `driverCodes`.
 *
 * Core looks at every device, answer and page before it believes it, in process as at the far end of a link: what is not
 * as these types say, or no whole image, is the driver's failure.
 *
 * `driverContract` in `@platen/conformance` has a case for each of them that can be seen from outside.
 */
import type { ScanOrder } from './order.js';
import type { Page } from './page.js';
import type { Adjustment, ColorMode, PageSize, Source } from './words.js';

export interface Call {
  /** Abandons the call. Its reason is a `ScanError` with the code `timeout` or `cancelled`. */
  readonly signal: AbortSignal;
}

export interface ScanCall extends Call {
  /** Feed nothing more, finish what is in the path. */
  readonly stop: AbortSignal;
}

export interface Driver {
  /** Unique among the drivers of a service: `virtual`, `sane`. */
  readonly id: string;
  /** Present where the scanners belong to another program that may be away. */
  readonly link?: DriverLink;
  /** May trickle; must end. Core asks at the start, after `watch` called back, and while somebody lists; never for a scan. */
  devices(call: Call): AsyncIterable<Device>;
  /** A device that is open is `busy`. Core holds one session for scanning, and may open another device for a moment to read its capabilities. */
  open(deviceId: string, call: Call): Promise<Session>;
  /** Calls back when scanners came, went or changed: such a driver is asked for its devices rarely. Returns what ends the watch. */
  watch?(onChange: () => void): () => void;
  /** Puts a sheet into the feeder: drivers of simulated scanners only. `image` is a file's bytes, not yet checked. */
  insert?(deviceId: string, image: Uint8Array): Promise<void>;
  /** Ends every session and lets go of everything; idempotent. */
  close(): Promise<void>;
}

export interface DriverLink {
  /** The program at the other end; undefined while it is not connected. */
  readonly peer: { readonly version: string } | undefined;
  /** While it is not connected: why, in a sentence for people, where more is known than that it is not there. */
  readonly trouble?: string | undefined;
  /** Returns what ends the subscription. */
  onChange(listener: (connected: boolean) => void): () => void;
}

/** A scanner as far as it is known without opening it. */
export interface Device {
  /** Unique within its driver and stable from one listing to the next. */
  readonly id: string;
  /** For people; core makes it unique across drivers. */
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly online: boolean;
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  readonly feeding: 'perSheet' | 'continuous';
  /**
   * What tells this scanner from every other one, whichever driver lists it: `uuid:1c8…`, `escl:192.168.1.5/Office scanner`.
   * Two devices with an identity in common are listed once, as the driver that the configuration names first has it.
   */
  readonly identities?: readonly string[];
  readonly traits?: DeviceTraits;
}

/** Differences of a platform that clients may notice (interface, "Platform differences"). */
export interface DeviceTraits {
  /** Capabilities name the languages that OCR was set up with. */
  readonly listsOcrLanguages?: boolean;
  readonly ignoresPageSize?: boolean;
  /** Failed or empty captures in a row that end auto-scan; the service's default when absent. */
  readonly autoScanFailureLimit?: number;
}

export interface SourceCapabilities {
  /** Pixels per inch, ascending; a range is reduced to the usual steps by the driver. */
  readonly resolutions: readonly number[];
  readonly colorModes: readonly ColorMode[];
  readonly duplex: boolean;
  readonly pageSizes: readonly PageSize[];
  /** What the hardware does itself. */
  readonly adjustments: readonly Adjustment[];
}

/** At least one source. */
export type Capabilities = Partial<Readonly<Record<Source, SourceCapabilities>>>;

export interface Status {
  readonly online: boolean;
  /** Paper in the feeder; `unknown` where no sensor says so. */
  readonly paper: 'loaded' | 'empty' | 'unknown';
  /** What the device reports of itself while nothing is being scanned. */
  readonly detected?: 'paper-jam' | 'double-feed' | 'cover-open';
}

export interface Session {
  readonly device: Device;
  capabilities(call: Call): Promise<Capabilities>;
  /** Legal at any time; answered from memory while scanning. */
  status(call: Call): Promise<Status>;
  /** Says that something changed, so that `status` is asked at once; without it core polls. */
  watch?(onEvent: (event: 'paper' | 'button' | 'offline') => void): () => void;
  scan(order: ScanOrder, call: ScanCall): AsyncIterable<Page>;
  /** Idempotent; ends a running scan. */
  close(): Promise<void>;
}
