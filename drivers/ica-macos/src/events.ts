/** What happens without being asked for: scanners that come and go, and what an open one says of itself. */
import type { BoundHelper, Frame } from '@platen/driver-kit';

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

/** Browses in a process of the helper's, to which it is bound then. */
export async function browse(
  bound: BoundHelper,
  args: { readonly network: boolean },
  deadlineMs: number,
  onEvent: (event: HelperEvent) => void,
): Promise<void> {
  // Before the first event there has to be a process: it is the one in which the answer comes.
  await bound.bind('browse', args, { deadlineMs });
  const onMore = ({ header }: Frame) => onEvent(header as unknown as HelperEvent);
  // Its end is that of the process, which is told otherwise.
  void bound.call('events', {}, { deadlineMs: FOR_EVER_MS, onMore }).catch(() => undefined);
}
