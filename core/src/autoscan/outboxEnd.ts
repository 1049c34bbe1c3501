/** How the events of a box end for its readers. */

export interface OutboxEnd {
  readonly event: 'disabled' | 'error';
  readonly message: string;
}

/** What a reader is told that comes back too late: pages that it did not get are gone. @param from @param to their numbers, both included */
export function gapEnd(from: number, to: number): OutboxEnd {
  const [what, is, them] = from === to ? [`Page ${from}`, 'is', 'it'] : [`Pages ${from} to ${to}`, 'are', 'them'];
  return { event: 'error', message: `${what} of this auto-scan ${is} not kept any more, and this reader did not get ${them}: scan ${them} again, and connect again for the pages after ${them}.` };
}
