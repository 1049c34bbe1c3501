/** The answer of a helper that works, to a request that its device refuses. */
import { codeOf } from '@platen/core/plugin';

export class HelperError extends Error {
  override readonly name = 'HelperError';
  /** The vendor API's own word: `JAMMED`. */
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}

/** The status that a helper answered with; undefined for anything else that was thrown, such as a helper's end. */
export function statusOf(error: unknown): string | undefined {
  const status = (error as { status?: unknown } | null | undefined)?.status;
  return typeof status === 'string' && codeOf(error) === undefined ? status : undefined;
}
