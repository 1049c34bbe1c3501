/**
 * A topology: a way to run a whole service with its scanners; a fixture: one such service, and what a test can do with
 * it.
 */
import type { TLSSocket } from 'node:tls';
import type { Answer, RequestOptions } from './client.js';
import type { EventStream, StreamOptions } from './events.js';
import type { Exit } from './platen.js';
import type { Sheet } from './sheets.js';

/**
 * The scanners that tests ask for by what they do.
 * duplex: a feeder for both sides. flatbed: always has a document on it. both: a feeder and a flatbed.
 * small: few sizes, one colour mode, no 200 dpi. jamming: sheet 2 of every scan jams. hanging: sheet 2 never comes.
 * slow: more than half a second per sheet. blind: a feeder without a paper sensor.
 */
export const roles = ['duplex', 'flatbed', 'both', 'small', 'jamming', 'hanging', 'slow', 'blind'] as const;
export type Role = (typeof roles)[number];

export interface Fault {
  /** 1-based within a scan. `open`, `close`: of virtual scanners; of others with `Fixture.hang`. */
  readonly sheet: number | 'always' | 'open' | 'close';
  /** A driver's error code, or `hang`. */
  readonly fault: string;
}

export interface FixtureOptions {
  /** Keys of the configuration's top level, in place of the topology's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The configuration's text; `config` is ignored then. */
  readonly configText?: string;
  /** The folder of the configuration, from which plugins are resolved; a new one when absent. */
  readonly folder?: string;
  /** Permission bits of the configuration's file. */
  readonly configMode?: number;
  /** Scripted faults in place of the role's own. */
  readonly faults?: Partial<Record<Role, readonly Fault[]>>;
  /** Packages of formats, instead of all of them. */
  readonly formats?: readonly string[];
  /** Packages of recognisers and processors; none when absent. */
  readonly recognisers?: readonly string[];
  readonly certificate?: 'valid' | 'missing' | 'expired' | 'expiring';
  /** The data folder of another fixture; a new one when absent. */
  readonly dataDir?: string;
  /** A free port when absent. `configured`: the configuration's. */
  readonly port?: number | 'configured';
  readonly env?: Readonly<Record<string, string>>;
  /** Starts Node for the service: see `withEtc`. */
  readonly starter?: string;
  /** The test starts the desktop application itself, if the topology has one. */
  readonly desktopAway?: boolean;
  /** Called with the data folder before anything starts. */
  prepare?(dataDir: string): Promise<void>;
}

export interface Topology {
  readonly name: string;
  /** Tests that need another scanner are skipped. */
  readonly roles: readonly Role[];
  /** The faults that a sheet can have: `hang`, and drivers' error codes. */
  readonly faults: 'all' | readonly string[];
  /** @throws NotStarted with the service's output */
  start(options?: FixtureOptions): Promise<Fixture>;
}

/** The process with the scanners, beside the service. */
export interface DesktopApp {
  /** Resolves when it listens; the service connects later. */
  start(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Stops it if it runs. @throws if it fails */
  stop(): Promise<void>;
  /** The standard error so far of the last one started. */
  log(): string;
}

/** A running service with its scanners. */
export interface Fixture {
  /** `https://localhost:` and the port. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** The service's process id. */
  readonly pid: number;
  /** Only if the topology has one. */
  readonly desktop?: DesktopApp;
  /** The scanner's name as clients know it. */
  name(role: Role): string;
  /**
   * Every answer is checked against its route's schema; so is a body object, unless `asIs` is set for a body that is
   * wrong on purpose.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The event stream, or the refusal. Every event is checked against its schema. */
  events(options?: StreamOptions): Promise<EventStream>;
  /** A bare TLS connection, for bytes that an HTTP client would not send. */
  connect(): Promise<TLSSocket>;
  /** Inserts exactly these sheets into the scanner's feeder, or puts them on its flatbed; resets `scanned`. */
  load(role: Role, sheets: readonly Sheet[]): Promise<void>;
  /** Adds sheets to the scanner's feeder, behind those already in it. */
  insert(role: Role, sheets: readonly Sheet[]): Promise<void>;
  /** The number of sheets in the feeder. */
  waiting(role: Role): Promise<number>;
  /** The number of sheets scanned since `load`. */
  scanned(role: Role): Promise<number>;
  /** Switches the scanner off, or unplugs it. */
  unplug(role: Role): Promise<void>;
  /** Connects the same scanner again, without paper. */
  plugIn(role: Role): Promise<void>;
  /** From now on the scanner hangs when it is opened, or closed; absent: no longer. Virtual scanners do not. */
  hang(role: Role, when?: 'open' | 'close'): Promise<void>;
  /** The folder that acts as the feeder. */
  tray(role: Role): string;
  /** The service's standard error so far. */
  log(): string;
  signal(signal: NodeJS.Signals): void;
  /** Resolves when the service has ended, by itself or by a signal. */
  readonly ended: Promise<Exit>;
  /** Once the service has ended: another one with the same data folder, scanners, configuration and port. */
  again(): Promise<Fixture>;
  /** Stops the service and the processes beside it in order, and removes their files. */
  stop(): Promise<Exit>;
}
