/**
 * The driver contract: the interface between Platen and a scanner.
 *
 * A driver promises:
 *  1. A `perSheet` device feeds no sheet that was not pulled (the two sides of a sheet are one pull). A `continuous`
 *     device may overshoot, but yields every sheet that it fed. At most four pages wait in memory to be pulled.
 *  2. `stop` feeds nothing more; the pages already in the path are yielded; the iterable ends. `return()` on the
 *     iterator does the same and frees the session.
 *  3. `signal` abandons: the paper stops as soon as the device allows, `signal.reason` is thrown, and the session is
 *     left usable or reports `device-offline`. A driver that does not react within core's grace time is closed and
 *     reopened.
 *  4. A second `scan` on a session is `busy`. A feeder that is empty before the first page is `no-paper`; once a
 *     page was yielded, the iterable just ends.
 *  5. Pages come in physical order, front before back. A requested adjustment may be ignored; a page's own facts are
 *     always true. A page truncated by a jam is never yielded as a complete one.
 *  6. Ownership of a page's buffer passes to core; the driver never reuses it, and keeps nothing of a page that it has
 *     yielded. A page over `maxPixels` is rejected before it is allocated.
 *  7. Importing a driver's package on another operating system has no effect.
 *  8. A driver never encodes, re-feeds, deskews in software, reads codes, or fills in defaults other than its own.
 *  9. Every failure carries a code of `driverCodes`. A device that goes away during a scan is `device-offline`; when it
 *     is back it is listed, opened and scans again, without a new driver.
 * 10. A control that a source's capabilities name is followed, and the page says so (`adjusted`). A driver option has an
 *     effect for its scan only; one that is not listed, or has another value than it takes, is `unsupported`, with its
 *     name in the message, before paper moves.
 *
 * Core validates every device, answer and page, in process as well as at the far end of a link: a value that does not
 * match these types, or an incomplete image, is the driver's failure.
 *
 * `driverContract` in `@platen/conformance` has a case for each promise that is observable from outside.
 */
import type { DriverOption, HardwareControl, ReservedOption } from './controls.js';
import type { ScanOrder } from './order.js';
import type { Page } from './page.js';
import type { Adjustment, ColorMode, PageSize, Source } from './words.js';

export interface Call {
  /** Abandons the call. Its reason is a `ScanError` with the code `timeout` or `cancelled`. */
  readonly signal: AbortSignal;
}

export interface ScanCall extends Call {
  /** Feed nothing more, finish the sheet in the path. */
  readonly stop: AbortSignal;
}

export interface Driver {
  /** Unique among the drivers of a service: `virtual`, `sane`. */
  readonly id: string;
  /** Present if the scanners belong to another program that may be disconnected. */
  readonly link?: DriverLink;
  /**
   * May yield slowly; must end. Core calls it at start, after `watch` called back, and when a client lists; never for a
   * scan.
   */
  devices(call: Call): AsyncIterable<Device>;
  /**
   * An open device is `busy`. Core opens each device once, and several devices at the same time, unless they say that
   * they are used in turn (`oneAtATime`).
   */
  open(deviceId: string, call: Call): Promise<Session>;
  /**
   * Calls back when scanners appeared, disappeared or changed; such a driver is asked for its devices rarely. Returns a
   * function that ends the watch.
   */
  watch?(onChange: () => void): () => void;
  /** Inserts a sheet into the feeder; for drivers of simulated scanners only. `image` is an unchecked file. */
  insert?(deviceId: string, image: Uint8Array): Promise<void>;
  /** Ends every session and frees all resources; idempotent. */
  close(): Promise<void>;
}

export interface DriverLink {
  /** The program at the other end; undefined while it is disconnected. */
  readonly peer: { readonly version: string } | undefined;
  /** While disconnected: the reason, in a sentence for people, if more is known than that it is absent. */
  readonly trouble?: string | undefined;
  /** Returns a function that ends the subscription. */
  onChange(listener: (connected: boolean) => void): () => void;
}

/** Facts of a scanner that are known without opening it. */
export interface Device {
  /** Unique within its driver and stable across listings. */
  readonly id: string;
  /** A name for people; core makes it unique across drivers. */
  readonly name: string;
  readonly manufacturer: string;
  readonly model: string;
  readonly online: boolean;
  readonly feeder: boolean;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  readonly feeding: 'perSheet' | 'continuous';
  /**
   * Distinguishes this scanner from all others, whichever driver lists it: `uuid:1c8…`, `escl:192.168.1.5/Office scanner`.
   * Two devices with a common identity are listed once, by the driver that the configuration names first.
   */
  readonly identities?: readonly string[];
  readonly traits?: DeviceTraits;
}

/** Platform differences that clients may notice (interface, "Platform differences"). */
export interface DeviceTraits {
  /** Capabilities contain the languages for which OCR was set up. */
  readonly listsOcrLanguages?: boolean;
  readonly ignoresPageSize?: boolean;
  /**
   * The library behind the driver holds one device at a time: all its scanners that say so are used in turn. Absent: each
   * is opened, and scans, beside the others.
   */
  readonly oneAtATime?: boolean;
  /** Failed or empty captures in a row that end auto-scan; the service's default if absent. */
  readonly autoScanFailureLimit?: number;
}

export interface SourceCapabilities {
  /** Pixels per inch, ascending; the driver reduces a range to the usual steps. */
  readonly resolutions: readonly number[];
  readonly colorModes: readonly ColorMode[];
  readonly duplex: boolean;
  readonly pageSizes: readonly PageSize[];
  /** Adjustments that the hardware does itself. */
  readonly adjustments: readonly Adjustment[];
  /** The largest area that can be requested, and the smallest, in millimetres. Absent: not known. */
  readonly area?: AreaLimits;
  /** Controls that the hardware does itself. Absent: none. */
  readonly controls?: readonly HardwareControl[];
  /** What the driver offers beyond the contract. Absent: nothing. */
  readonly driverOptions?: readonly DriverOption[];
  /** What is no option because scan parameters set it: a request for one is refused with their names. Absent: nothing. */
  readonly reservedOptions?: readonly ReservedOption[];
}

/** Millimetres. */
export interface AreaLimits {
  readonly width: number;
  readonly height: number;
  readonly minWidth?: number;
  readonly minHeight?: number;
}

/** At least one source. */
export type Capabilities = Partial<Readonly<Record<Source, SourceCapabilities>>>;

export interface Status {
  readonly online: boolean;
  /** Paper in the feeder; `unknown` if there is no sensor. */
  readonly paper: 'loaded' | 'empty' | 'unknown';
  /**
   * With `unknown`: only a scan shows whether there is paper, and a scan of an empty feeder does no harm, so auto-scan
   * tries from time to time.
   */
  readonly paperByTrial?: true;
  /** Faults and states that the device reports while it is idle. */
  readonly detected?: 'paper-jam' | 'double-feed' | 'cover-open';
}

export interface Session {
  readonly device: Device;
  capabilities(call: Call): Promise<Capabilities>;
  /** Allowed at any time; answered from memory while scanning. */
  status(call: Call): Promise<Status>;
  /**
   * Reports a change, after which core calls `status` at once; without it, core polls. Core also calls `status` right
   * after `watch`: every change after that answer is reported, and one before it is in the answer.
   */
  watch?(onEvent: (event: 'paper' | 'button' | 'offline') => void): () => void;
  scan(order: ScanOrder, call: ScanCall): AsyncIterable<Page>;
  /** Idempotent; ends a running scan. */
  close(): Promise<void>;
}
