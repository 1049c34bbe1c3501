/** The verbs that are answered by one message, and what each does with the driver. */
import { countOf, textOf, type Fields } from '@platen/core/wire';
import type { ServerSessions } from './serverSessions.js';
import { sessionVerbs } from './sessionCalls.js';

/** Resolves with the fields of the answer. */
export type ServerCall = (signal: AbortSignal) => Promise<object | void>;

/** Reads the fields of a call, the driver is asked later. @throws TypeError if the verb does not accept these fields */
export type ServerVerb = (fields: Fields, id: number) => ServerCall;

export function serverVerbs(sessions: ServerSessions): ReadonlyMap<string, ServerVerb> {
  const ofSessions = sessionVerbs.map(
    verb =>
      [
        verb,
        (fields: Fields, id: number): ServerCall => {
          const session = sessionOf(fields, id);
          return async signal => ({ [verb]: await sessions.get(session)[verb]({ signal }) });
        },
      ] as const,
  );
  const ofDriver: Readonly<Record<string, ServerVerb>> = {
    ping: () => async () => undefined,
    open(fields, id) {
      const device = textOf(fields, 'device');
      return signal => sessions.open(id, device, signal);
    },
    close(fields, id) {
      const session = sessionOf(fields, id);
      return () => sessions.close(session);
    },
    'close-all': () => () => sessions.closeAll(),
  };
  return new Map([...ofSessions, ...Object.entries(ofDriver)]);
}

/** @param id of the call; the session was opened by an earlier one */
export function sessionOf(fields: Fields, id: number): number {
  return countOf(fields, 'session', 1, id - 1);
}
