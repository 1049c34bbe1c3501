/** What happens without being asked for: scanners that come and go, and what an open one says of itself. */
import type { Helper } from '@platen/driver-kit';

export interface HelperEvent {
  readonly event: string;
  readonly device?: string;
  readonly name?: string;
  readonly coming?: boolean;
  /** Of an error. */
  readonly status?: string;
  readonly message?: string;
}

/** A call that lasts as long as its process: Node knows no longer timer. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Browses in the helper's process that runs now, or in a new one. @returns the number of that process */
export async function browse(helper: Helper, args: { readonly network: boolean }, deadlineMs: number, onEvent: (event: HelperEvent) => void): Promise<number> {
  // Before the first event there has to be a process: it is the one in which the answer comes.
  await helper.call('browse', args, { deadlineMs });
  const { generation } = helper;
  void helper
    .call('events', {}, { deadlineMs: FOR_EVER_MS, generation, onMore: ({ header }) => onEvent(header as unknown as HelperEvent) })
    .catch(() => undefined); // the end of the process, which onExit tells
  return generation;
}
