/** What the service says about consent, and the person's answers to it. */
import { answerOf } from '../shared/calls.js';

export const rights = ['scan', 'auto-scan', 'settings'] as const;
export type Right = (typeof rights)[number];
/** All, or those with these names. */
export type Scanners = '*' | readonly string[];

/** The question of a web page. */
export interface Asked {
  readonly id: string;
  readonly origin: string;
  readonly may: readonly Right[];
  /** Absent: all. */
  readonly scanners?: Scanners;
  /** ISO 8601. */
  readonly at: string;
}

export interface Grant {
  readonly origin: string;
  /** Empty: a "no". */
  readonly may: readonly Right[];
  readonly scanners: Scanners;
  /** ISO 8601; absent: without end. */
  readonly until?: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly by: 'page' | 'command' | 'file' | 'configuration';
}

export interface State {
  readonly mode: 'open' | 'list' | 'ask';
  /** Names of those that are there now. */
  readonly scanners: readonly string[];
  readonly asked: readonly Asked[];
  readonly grants: readonly Grant[];
}

export interface Answer {
  /** Of the question; absent: a grant is changed. */
  readonly id?: string | undefined;
  readonly origin: string;
  readonly may: readonly Right[];
  readonly scanners: Scanners;
  readonly until?: string | undefined;
}

/** @throws PlatenError; so do the others */
export const readState = async (): Promise<State> => (await answerOf('/origins/state')) as unknown as State;

export const give = (answer: Answer): Promise<unknown> => post('/origins/answers', answer);

export const revoke = (origin: string): Promise<unknown> => post('/origins/revocations', { origin });

const post = (path: string, body: object): Promise<unknown> =>
  answerOf(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
