/** Records what a driver and its device send each other, as lines of a trace. */
import { onDeviceLine, type Clock, type StepLine } from '@platen/core';
import { createPseudonyms } from './pseudonyms.js';

export interface Recorder {
  /** Adds a step of the session. */
  write(line: StepLine): void;
  /** Stops recording. @returns the lines, in the order of time, each a JSON object without a line break */
  end(): readonly string[];
}

/**
 * @param deviceId lines about other devices are left out
 */
export function startRecorder(clock: Pick<Clock, 'monotonic'>, deviceId: string): Recorder {
  const { alias, of } = createPseudonyms();
  const began = clock.monotonic();
  const lines: string[] = [];
  const add = (line: object): void =>
    void lines.push(JSON.stringify({ at: Math.round(clock.monotonic() - began), ...of(line) }));

  const stop = onDeviceLine(write => {
    try {
      const { device, ...line } = write(alias);
      if (device === undefined || device === deviceId) add(line);
    } catch {
      // A message of which no line can be made fails no scan.
      add({ lost: true });
    }
  });

  return {
    write: ({ device, ...line }) => add(device === undefined ? line : { ...line, device: alias(String(device)) }),
    end() {
      stop();
      return lines;
    },
  };
}
