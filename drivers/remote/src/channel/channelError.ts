/** Why there is no channel to the other end. */

/**
 * channel-absent: nothing listens. channel-refused: the other end did not prove itself. channel-secret: the secret cannot
 * be used at this end. channel-taken: the name cannot be listened on.
 */
export type ChannelCode = 'channel-absent' | 'channel-refused' | 'channel-secret' | 'channel-taken';

/** Its message is a sentence for the person who runs Platen. */
export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly code: ChannelCode;

  constructor(code: ChannelCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The code of a failed call of the operating system. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
