/** Whether macOS's browser sees one scanner, and what it calls it. */
import type { HelperEvent } from './events.js';

export interface Presence {
  /** The browser's name for the scanner; its id until then. */
  readonly name: string;
  /** Undefined: the browser has not reported it yet. */
  readonly isThere: boolean | undefined;
  /** Takes an event of the browser. */
  hear(event: HelperEvent): void;
  /** Another process will browse: nothing is known. */
  forget(): void;
  /** The process that browsed ended. */
  lose(): void;
  /** Resolves once `isThere` is known, or after this long, ms. */
  known(deadlineMs: number): Promise<void>;
}

/** @param network whether network scanners are browsed, too: those are reported after the list of local ones */
export function createPresence(device: string, network: boolean): Presence {
  let name = device;
  let isThere: boolean | undefined;
  let onSaid: (() => void) | undefined;

  function says(there: boolean): void {
    isThere = there;
    onSaid?.();
  }

  return {
    get name() {
      return name;
    },
    get isThere() {
      return isThere;
    },
    hear({ event, device: about, name: called }) {
      if (event === 'enumerated' && !network && isThere === undefined) says(false);
      if (about !== device) return;
      if (event === 'added') name = called || device;
      if (event === 'added' || event === 'removed') says(event === 'added');
    },
    forget: () => void (isThere = undefined),
    lose: () => says(false),
    async known(deadlineMs) {
      if (isThere !== undefined) return;
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>(resolve => {
        onSaid = resolve;
        timer = setTimeout(resolve, deadlineMs);
      });
      clearTimeout(timer);
      onSaid = undefined;
    },
  };
}
