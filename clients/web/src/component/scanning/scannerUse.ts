/** Which scanners are in use, for as long as somebody looks at the page. */
import type { Context } from '../context.js';
import type { Scanners } from './scanners.js';

/** Milliseconds between two looks: what is wrong for longer would be believed. */
const EVERY_MS = 5000;

export interface ScannerUse {
  /** Looks from now on, until the end. */
  follow(): void;
  end(): void;
}

export function createScannerUse({ client }: Pick<Context, 'client'>, scanners: Scanners): ScannerUse {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible' && scanners.all.length > 0)
      // Nobody is asked for consent, and whoever scans next is told of a failure.
      await client.listScanners({ details: true, consent: false }).then(
        found => isOver || scanners.showUse(found),
        () => undefined,
      );
    if (!isOver) timer = setTimeout(() => void look(), EVERY_MS);
  };
  return {
    follow() {
      timer ??= setTimeout(() => void look(), EVERY_MS);
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
