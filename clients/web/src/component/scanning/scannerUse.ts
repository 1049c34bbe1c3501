/** Which scanners are in use, for as long as somebody looks at the page. */
import { PlatenError } from '../../client/errors.js';
import type { Context } from '../context.js';
import type { Scanners } from './scanners.js';

/** Milliseconds between two looks: what is wrong for longer would be believed. */
const EVERY_MS = 5000;

export interface ScannerUse {
  /** Looks from now on, until the end, or until the page may not scan any more. */
  follow(): void;
  end(): void;
}

export function createScannerUse({ client }: Pick<Context, 'client'>, scanners: Scanners): ScannerUse {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let follows = false;
  let isOver = false;
  const wait = (): void => void (timer = setTimeout(() => void look(), EVERY_MS));
  const look = async (): Promise<void> => {
    if (document.visibilityState === 'visible' && scanners.all.length > 0)
      try {
        const found = await client.listScanners({ details: true, search: false, consent: false });
        if (!isOver) scanners.showUse(found);
      } catch (error) {
        // Whoever scans next is told of a failure.
        if (!isOver) scanners.showUse([]);
        // The service asks the person with each call that nobody allowed.
        follows = !(error instanceof PlatenError && error.code.startsWith('consent-'));
      }
    if (follows && !isOver) wait();
  };
  return {
    follow() {
      if (follows || isOver) return;
      follows = true;
      wait();
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
