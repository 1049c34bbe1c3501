/** An error that a working helper answers: its device rejected the request. */
import { codeOf } from '@platen/core/plugin';

export class HelperError extends Error {
  override readonly name = 'HelperError';
  /** The vendor API's own status, such as `JAMMED`. */
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}

/** The status of a helper's answer; undefined for any other error, such as a helper's end. */
export function statusOf(error: unknown): string | undefined {
  const status = (error as { status?: unknown } | null | undefined)?.status;
  return typeof status === 'string' && codeOf(error) === undefined ? status : undefined;
}
