/** Calls of this service that only its own pages make. */
import { PlatenError } from '@platen/client';
import { failureOf, jsonOf } from '@platen/client/service';
import { pass } from './pass.js';

/** Forms, and scripts of other pages, cannot send it without a preflight. */
const HEADER = { 'x-platen-page': '1' };

/** The service wants the secret of `security.localPrograms: "token"`, which this browser does not have. */
export class TokenRequired extends Error {
  override readonly name = 'TokenRequired';
}

/** @throws PlatenError with a message for the user, also for an answer that is not a success; TokenRequired */
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
  if (response.headers.get('platen-error')?.includes('"token-required"')) throw new TokenRequired('token-required');
  if (!response.ok) throw failureOf(response, answer);
  return answer;
}
