/**
 * The mutual challenge: each end proves that it knows the secret, which itself never crosses.
 *
 *   service ──▶ desktop   "platen", 0, version (8 bytes), nonce (32)
 *   service ◀── desktop   the same, with its own nonce
 *   service ──▶ desktop   HMAC-SHA-256 over label of the service, version, both nonces (32)
 *   service ◀── desktop   the same with the label of the desktop application, once the service has proved itself
 *
 * Nonces are fresh, so a replayed proof is rejected. Labels differ, so an echo is rejected. The desktop application,
 * which is dialled, sends no proof before the service has proved itself.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Writable } from 'node:stream';

/** Changes whenever these messages do. */
export const CHANNEL_VERSION = 1;
const NONCE_BYTES = 32;
const PROOF_BYTES = 32;
const MAGIC = Buffer.from('platen\0', 'latin1');
const GREETING_BYTES = MAGIC.length + 1 + NONCE_BYTES;

/** `service` dials, `desktop` listens. */
export type End = 'service' | 'desktop';

export interface ChallengeOptions {
  readonly end: End;
  readonly secret: Uint8Array;
  /** Time limit for the whole challenge, in milliseconds. */
  readonly ms: number;
  /** Reads exactly this many bytes; undefined if the stream ends before. */
  read(length: number): Promise<Buffer | undefined>;
}

/**
 * Reads nothing but the messages above: what follows stays in the stream.
 * @throws Error with a clause about the other end, "it said nothing for 4 s"; the stream is the caller's to destroy
 */
export async function challenge(stream: Writable, { end, secret, ms, read }: ChallengeOptions): Promise<void> {
  const nonce = randomBytes(NONCE_BYTES);
  let heard = 'it said nothing';
  let expire = (_: Error): void => undefined;
  const expired = new Promise<never>((_, reject) => (expire = reject));
  expired.catch(() => undefined);
  const late = setTimeout(() => expire(new Error(`${heard} within ${ms / 1000} s`)), ms);
  const reader = async (length: number, closed: string): Promise<Buffer> => {
    const bytes = read(length);
    bytes.catch(() => undefined);
    const all = await Promise.race([bytes, expired]);
    if (!all) throw new Error(closed);
    return all;
  };
  try {
    stream.write(Buffer.concat([MAGIC, Buffer.of(CHANNEL_VERSION), nonce]));
    const theirs = nonceOf(await reader(GREETING_BYTES, 'it closed the connection'));
    heard = 'it did not prove that it knows the secret';
    const nonces = end === 'service' ? [nonce, theirs] : [theirs, nonce];
    const prove = (who: End): Buffer =>
      createHmac('sha256', secret)
        .update(`platen ${who}\0${CHANNEL_VERSION}\0`)
        .update(nonces[0]!)
        .update(nonces[1]!)
        .digest();
    const check = async (who: End): Promise<void> => {
      const proof = await reader(PROOF_BYTES, 'it closed the connection before it proved that it knows the secret');
      if (!timingSafeEqual(proof, prove(who))) throw new Error('it does not know the secret');
    };
    if (end === 'desktop') await check('service');
    stream.write(prove(end));
    if (end === 'service') await check('desktop');
  } finally {
    clearTimeout(late);
  }
}

function nonceOf(greeting: Buffer): Buffer {
  if (!greeting.subarray(0, MAGIC.length).equals(MAGIC)) throw new Error("it does not speak Platen's protocol");
  const version = greeting[MAGIC.length];
  if (version !== CHANNEL_VERSION) {
    throw new Error(
      `it speaks version ${version} of the channel, this end version ${CHANNEL_VERSION}: install the same version of Platen at both ends`,
    );
  }
  return greeting.subarray(MAGIC.length + 1);
}
