/** The answer of a helper that works, to a request that its device refuses. */
export class HelperError extends Error {
  override readonly name = 'HelperError';
  /** The vendor API's own word: `JAMMED`. */
  readonly status: string;

  constructor(status: string, message: string) {
    super(message);
    this.status = status;
  }
}
