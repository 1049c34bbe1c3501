/** An error that a scanner tells while it scans, outside of any answer: how the scan ended, where only its end follows. */
import type { HelperEvent } from './events.js';

export interface DeviceError {
  /** A scan begins; what was said before is none of it. */
  begin(): void;
  /** `error`, as the helper tells it. */
  hear(event: HelperEvent): void;
  /** The scan goes on. */
  forget(): void;
  /** What a scan has failed with: the error told, where it ended without one or because of it. Undefined: nothing. */
  verdict(error: unknown): unknown;
}

/** @param giveUp ends the scan, of which nothing but errors came for `patienceMs` */
export function createDeviceError(patienceMs: number, giveUp: () => void): DeviceError {
  let heard: Error | undefined;
  let gaveUp = false;
  let timer: NodeJS.Timeout | undefined;

  function forget(): void {
    clearTimeout(timer);
    heard = undefined;
  }

  return {
    begin() {
      forget();
      gaveUp = false;
    },
    hear({ status = '', message = '' }) {
      if (status === '') return;
      // One that repeats itself is not the scan going on.
      const isFirst = heard === undefined;
      heard = Object.assign(new Error(message), { status });
      if (!isFirst) return;
      timer = setTimeout(() => {
        gaveUp = true;
        giveUp();
      }, patienceMs);
    },
    forget,
    verdict(error) {
      const said = heard;
      forget();
      return said && (error === undefined || gaveUp) ? said : error;
    },
  };
}
