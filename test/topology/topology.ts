/**
 * A topology: a way to run a whole service with its scanners; a fixture: one such service, and what a test does with
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
 * slow: takes more than half a second a sheet. blind: a feeder that does not say whether it has paper.
 */
export const roles = ['duplex', 'flatbed', 'both', 'small', 'jamming', 'hanging', 'slow', 'blind'] as const;
export type Role = (typeof roles)[number];

export interface Fault {
  /** 1-based within a scan. */
  readonly sheet: number | 'always';
  /** A driver's error code, or `hang`. */
  readonly fault: string;
}

export interface FixtureOptions {
  /** Keys of the configuration's top level, in place of the topology's own. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** The configuration's text, whatever `config` says. */
  readonly configText?: string;
  /** Where the configuration lies, and its plugins are looked for; a folder of its own when absent. */
  readonly folder?: string;
  /** Permission bits of the configuration's file. */
  readonly configMode?: number;
  /** Scripted faults in place of the role's own. */
  readonly faults?: Partial<Record<Role, readonly Fault[]>>;
  /** Packages of formats in place of all. */
  readonly formats?: readonly string[];
  /** Packages of recognisers and processors; none when absent. */
  readonly recognisers?: readonly string[];
  readonly certificate?: 'valid' | 'missing' | 'expired' | 'expiring';
  /** Another fixture's; a new folder when absent. */
  readonly dataDir?: string;
  /** A free one when absent. `configured`: what the configuration says. */
  readonly port?: number | 'configured';
  readonly env?: Readonly<Record<string, string>>;
  /** The desktop application is left to the test, where the topology has one. */
  readonly desktopAway?: boolean;
  /** Called with the data folder before anything starts. */
  prepare?(dataDir: string): Promise<void>;
}

export interface Topology {
  readonly name: string;
  /** Tests that need another scanner are skipped. */
  readonly roles: readonly Role[];
  /** What can be scripted to happen to a sheet; `hang`, and codes of drivers. */
  readonly faults: 'all' | readonly string[];
  /** @throws NotStarted with what the service said */
  start(options?: FixtureOptions): Promise<Fixture>;
}

/** The process beside the service that has its scanners. */
export interface DesktopApp {
  /** When it listens; the service finds it later. */
  start(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Ends it where it runs. @throws where that does not end well */
  stop(): Promise<void>;
  /** The standard error so far of the one that was started last. */
  log(): string;
}

/** A running service with its scanners. */
export interface Fixture {
  /** `https://localhost:` and the port. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of the service's process. */
  readonly pid: number;
  /** Where the topology has one. */
  readonly desktop?: DesktopApp;
  /** The scanner's name as clients know it. */
  name(role: Role): string;
  /**
   * Every answer is checked against its route's schema; a body object too, unless `asIs` is set for a body that is
   * wrong on purpose.
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /** The event stream, or why there is none. Every event is checked against its schema. */
  events(options?: StreamOptions): Promise<EventStream>;
  /** A bare TLS connection, for bytes that an HTTP client would not send. */
  connect(): Promise<TLSSocket>;
  /** Inserts exactly these sheets into the scanner's feeder, or puts them on its flatbed; resets `scanned`. */
  load(role: Role, sheets: readonly Sheet[]): Promise<void>;
  /** Puts further sheets into the scanner's feeder, behind those that are in it. */
  insert(role: Role, sheets: readonly Sheet[]): Promise<void>;
  /** How many sheets are in the feeder. */
  waiting(role: Role): Promise<number>;
  /** How many sheets were scanned since `load`. */
  scanned(role: Role): Promise<number>;
  /** Switches the scanner off, or takes its cable out. */
  unplug(role: Role): Promise<void>;
  /** The same scanner is back, without paper. */
  plugIn(role: Role): Promise<void>;
  /** The folder that acts as the feeder. */
  tray(role: Role): string;
  /** The service's standard error so far. */
  log(): string;
  signal(signal: NodeJS.Signals): void;
  /** When the service has ended by itself or by a signal. */
  readonly ended: Promise<Exit>;
  /** Stops the service and what runs beside it in order, and removes their files. */
  stop(): Promise<Exit>;
}
