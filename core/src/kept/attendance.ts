/** Whether a client still waits for its scan: somebody asks for it, or did a moment ago. */
import type { Clock } from '../time/clock.js';

/** Milliseconds after its last request for which a client is there: it reconnects within a few seconds. */
export const LEFT_MS = 15_000;

export interface Attendance {
  /** Call it when a request for the scan begins. @returns what to call when that has ended */
  attend(): () => void;
  /** Nobody is missed any more. */
  end(): void;
}

/** @param onLeft called once, when nobody has asked for `LEFT_MS` */
export function createAttendance(clock: Clock, onLeft: () => void): Attendance {
  let present = 0;
  let isOver = false;
  const miss = (): (() => void) => clock.after(LEFT_MS, onLeft);
  let cancel = miss();
  return {
    attend() {
      present++;
      cancel();
      let isPresent = true;
      return () => {
        if (!isPresent) return;
        isPresent = false;
        present--;
        if (present === 0 && !isOver) cancel = miss();
      };
    },
    end() {
      isOver = true;
      cancel();
    },
  };
}
