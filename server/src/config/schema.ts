/** The configurations' types; `config/schema.json` and `host.schema.json` say what each key means and are what files are checked against. */
import type { TransferMode } from '@platen/core';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface PluginEntry {
  /** A package's name. */
  readonly use: string;
  /** Operating systems as Node names them; absent: all. */
  readonly on?: readonly string[];
  readonly enabled: boolean;
  readonly required: boolean;
  /** Its drivers run in a process of their own. */
  readonly isolate: boolean;
  /** A token, or the path of a file that holds one. */
  readonly licence?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

export interface Security {
  readonly allowedOrigins: '*' | readonly string[];
  /** Host names without a port; IPv6 in brackets. */
  readonly allowedHosts: readonly string[];
}

/** A whole configuration: every default is filled in. */
export interface Config {
  readonly listen: { readonly port: number };
  readonly plugins: readonly PluginEntry[];
  readonly scan: {
    readonly inactivitySeconds: number;
    readonly graceSeconds: number;
    readonly deadlineGraceSeconds: number;
  };
  readonly source: { readonly idleMinutes: number };
  readonly autoscan: {
    readonly idleSeconds: number;
    readonly maxFailures: number;
    readonly outboxPages: number;
    readonly resendBytes: number;
    readonly keptHours: number;
  };
  readonly clients: { readonly stallSeconds: number; readonly maxStreams: number; readonly maxUnread: number };
  readonly memory: { readonly rawBytes: number; readonly encodedBytes: number; readonly maxPixels: number };
  readonly security: Security;
  readonly log: { readonly level: LogLevel };
}

/** A whole configuration of the desktop application: every default is filled in. */
export interface HostConfig {
  /** The channel's name. */
  readonly channel: string;
  /** What the scanners are asked for where a request does not say. */
  readonly transferMode: TransferMode;
  readonly plugins: readonly PluginEntry[];
  readonly log: { readonly level: LogLevel };
}
