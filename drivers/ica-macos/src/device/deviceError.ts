/** An error that a scanner reports during a scan, outside an answer: the reason, if only the scan's end follows. */
import type { HelperEvent } from './events.js';

export interface DeviceError {
  /** A scan begins; forgets earlier errors. */
  begin(): void;
  /** Takes the helper's event `error`. */
  hear(event: HelperEvent): void;
  /** The scan continues. */
  forget(): void;
  /** The scan's failure: the reported error, if the scan ended without one or because of it. Undefined: none. */
  verdict(error: unknown): unknown;
}

/** @param giveUp ends a scan that sent only errors for `patienceMs` */
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
      // A repeated error does not count as progress.
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
