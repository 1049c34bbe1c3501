/** How the events of a box end for its readers. */
import { codeOf, messageOf } from '../contract/errors.js';

/** `core/ERRORS.md` defines each; the first line ends with `disabled`, the second with `error`. */
export const endReasons = [
  'requested',
  'failing',
  'unread',
  'scanner-closed',
  'service-stopped',
  'device-lost',
  'not-connected',
  'driver-failed',
  'service-ended',
  'pages-lost',
  'storage-failed',
  'consent-ended',
] as const;
export type EndReason = (typeof endReasons)[number];

export interface OutboxEnd {
  readonly event: 'disabled' | 'error';
  readonly reason: EndReason;
  /** A sentence for people. */
  readonly message: string;
}

/**
 * The end for a reader that reconnects too late: its next pages are gone.
 * @param from
 * @param to their numbers, inclusive
 */
export function gapEnd(from: number, to: number): OutboxEnd {
  const [what, is, them] = from === to ? [`Page ${from}`, 'is', 'it'] : [`Pages ${from} to ${to}`, 'are', 'them'];
  const message = `${what} of this auto-scan ${is} no longer kept and did not reach this reader. Scan ${them} again, and reconnect for the pages after ${them}.`;
  return { event: 'error', reason: 'pages-lost', message };
}

/** How auto-scan ends when the device is gone, by the code of the failure. */
export function lostEnd(error: unknown): OutboxEnd {
  const reason = codeOf(error) === 'not-connected' ? 'not-connected' : 'device-lost';
  return { event: 'error', reason, message: messageOf(error) };
}
