/** What one place (a file, a key of the registry) sets, before anybody asks what it means. */
import type { Browser } from './browsers.js';

export interface PolicySource {
  readonly browser: Browser;
  /** The file or the key. */
  readonly place: string;
  /** Absent: it could not be read. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Why it could not be read, as a clause. */
  readonly damage?: string;
}

/** Where to look; a test passes another computer. */
export interface PolicySurroundings {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that stands for `/`; empty: the computer's own. */
  readonly root: string;
  /** @returns undefined if the program is not installed */
  run(program: string, args: readonly string[]): Promise<{ readonly code: number; readonly said: string } | undefined>;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
