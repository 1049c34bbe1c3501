/** A log for tests: its entries, as lines `level: message`. */
import type { Log } from '@platen/core/plugin';

export interface RecordingLog extends Log {
  readonly lines: string[];
}

/** @param least `info` leaves out debug entries */
export function recordingLog(least: 'debug' | 'info' = 'debug'): RecordingLog {
  const lines: string[] = [];
  const say = (level: keyof Log) => (message: string) => void lines.push(`${level}: ${message}`);
  return {
    lines,
    debug: least === 'debug' ? say('debug') : () => undefined,
    info: say('info'),
    warn: say('warn'),
    error: say('error'),
  };
}
