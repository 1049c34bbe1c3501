/** How the events of a box end for its readers. */
import { codeOf, messageOf } from '../contract/errors.js';

/** `core/ERRORS.md` says when each; the first line is of `disabled`, the second of `error`. */
export const endReasons = [
  'requested',
  'failing',
  'unread',
  'scanner-closed',
  'scanner-opened',
  'scan-began',
  'service-stopped',
  'device-lost',
  'not-connected',
  'driver-failed',
  'service-ended',
  'pages-lost',
  'storage-failed',
] as const;
export type EndReason = (typeof endReasons)[number];

export interface OutboxEnd {
  readonly event: 'disabled' | 'error';
  readonly reason: EndReason;
  /** A sentence for a person. */
  readonly message: string;
}

/** What a reader is told that comes back too late: pages that it did not get are gone. @param from @param to their numbers, both included */
export function gapEnd(from: number, to: number): OutboxEnd {
  const [what, is, them] = from === to ? [`Page ${from}`, 'is', 'it'] : [`Pages ${from} to ${to}`, 'are', 'them'];
  const message = `${what} of this auto-scan ${is} not kept any more, and this reader did not get ${them}: scan ${them} again, and connect again for the pages after ${them}.`;
  return { event: 'error', reason: 'pages-lost', message };
}

/** How auto-scan ends when the device is gone, by what it failed with. */
export function lostEnd(error: unknown): OutboxEnd {
  const reason = codeOf(error) === 'not-connected' ? 'not-connected' : 'device-lost';
  return { event: 'error', reason, message: messageOf(error) };
}
