/** The calls of a session that one message asks and one message answers. */
import type { Call, Session } from '@platen/core/plugin';
import { readCapabilities, readStatus } from '@platen/core/wire';

/** Methods of a session that take a call and nothing else. */
type Answered = {
  readonly [Verb in keyof Session]?: (
    answer: unknown,
  ) => Session[Verb] extends (call: Call) => Promise<infer Answer> ? Answer : never;
};

/**
 * One row per call, for both ends: its name is the method, the verb on the wire and the field of the answer; its value
 * reads the answer. @throws TypeError on an answer that is not well formed
 */
export const sessionCalls = { capabilities: readCapabilities, status: readStatus } satisfies Answered;

export type SessionVerb = keyof typeof sessionCalls;

export const sessionVerbs = Object.keys(sessionCalls) as readonly SessionVerb[];
