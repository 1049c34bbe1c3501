/** The undelivered pages of an auto-scan that is over, as a scan of the origins that enabled it. */
import type { ErrorCode } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import type { StoredPage } from '../kept/storedPage.js';
import { createNotifier } from '../time/notifier.js';
import type { Box } from './keptBoxes.js';
import type { EndReason, OutboxEnd } from './outboxEnd.js';

/** Codes of a scan for ends of an auto-scan with `error`. */
const codes: Readonly<Partial<Record<EndReason, ErrorCode>>> = {
  'device-lost': 'device-offline',
  'not-connected': 'not-connected',
  'storage-failed': 'storage-failed',
  'pages-lost': 'storage-failed',
  'service-ended': 'service-ended',
};

/**
 * Its pages are those that no reader had when the auto-scan ended, each with its number in the auto-scan: the first one
 * may have a number above 1. A page that a client got here counts as taken in the event stream, and the other way round.
 * @param onTaken called when a client got a page here
 */
export function createBoxScan({ stored, outbox }: Box, end: OutboxEnd, onTaken: () => void): KeptScan {
  const { id, createdAt, scanner } = stored.facts;
  const undelivered = [...outbox.undelivered, ...(stored.damaged ?? []).filter(({ delivered }) => !delivered)];
  const pages = undelivered
    .sort((a, b) => a.page.pageNumber - b.page.pageNumber)
    .map(page =>
      taking(page, () => {
        outbox.deliver(page);
        onTaken();
      }),
    );
  return {
    id,
    kind: 'autoscan',
    createdAt,
    scannerName: scanner,
    origins: stored.facts.origins,
    ...outcomeOf(end),
    notes: [],
    pages,
    progress: { scanned: pages.length, finished: pages.length },
    changed: createNotifier().wait,
  };
}

function outcomeOf({ event, reason, message }: OutboxEnd): Pick<KeptScan, 'state' | 'code' | 'error'> {
  if (event === 'disabled') return { state: 'completed' };
  const code = codes[reason] ?? 'driver-failed';
  return { state: code === 'service-ended' ? 'interrupted' : 'failed', code, error: message };
}

function taking(page: StoredPage, deliver: () => void): StoredPage {
  return {
    ...page,
    get delivered() {
      return page.delivered;
    },
    get isStored() {
      return page.isStored;
    },
    deliver,
  };
}
