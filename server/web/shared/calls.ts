/** Calls of this service that only its own pages make. */
import { PlatenError } from '@platen/client';
import { failureOf, jsonOf } from '@platen/client/service';
import { pass } from './pass.js';

/** Forms, and scripts of other pages, cannot send it without a preflight. */
const HEADER = { 'x-platen-page': '1' };

/** @throws PlatenError with a message for the user, also for an answer that is not a success */
export async function answerOf(
  path: string,
  { headers, ...request }: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Readonly<Record<string, unknown>>> {
  const secret = pass();
  const all = { ...HEADER, ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }), ...headers };
  const response = await fetch(path, { cache: 'no-store', headers: all, ...request }).catch((error: unknown) => {
    throw new PlatenError('no-answer', 'The service does not answer.', { cause: error });
  });
  const answer = await jsonOf(response);
  if (!response.ok) throw failureOf(response, answer);
  return answer;
}
