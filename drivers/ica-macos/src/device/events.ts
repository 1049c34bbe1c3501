/** Events: scanners that come or go, and reports of an open scanner. */
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

/** The deadline of a call that lasts as long as its process: Node's longest timer. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Browses in one process of the helper, and binds to it. */
export async function browse(
  bound: BoundHelper,
  args: { readonly network: boolean },
  deadlineMs: number,
  onEvent: (event: HelperEvent) => void,
): Promise<void> {
  // The process that answers is running before the first event.
  await bound.bind('browse', args, { deadlineMs });
  const onMore = ({ header }: Frame) => onEvent(header as unknown as HelperEvent);
  // It ends with the process, whose end is reported elsewhere.
  void bound.call('events', {}, { deadlineMs: FOR_EVER_MS, onMore }).catch(() => undefined);
}
