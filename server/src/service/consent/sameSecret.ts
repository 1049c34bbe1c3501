/** Compares secrets in a time that tells nothing of them. */
import { timingSafeEqual } from 'node:crypto';

export function isSameSecret(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
