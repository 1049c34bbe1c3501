/** Helpers that answer from a trace of `platen trace`: a scanner that misbehaved elsewhere, for a driver's tests. */
import { isDeepStrictEqual } from 'node:util';
import type { DriverCode } from '@platen/core/plugin';
import type { Frame } from '../frames/frames.js';
import { HelperError } from './helperError.js';
import { HelperFailure } from './helperFailure.js';
import type { Helper, HelperCall } from './helperTypes.js';

/** Lines of a trace with a helper's messages; others are ignored. */
export interface HelperLine {
  readonly to?: unknown;
  readonly from?: unknown;
}

export interface ReplayedHelpers {
  /** Makes a helper; the first that is called answers as the trace's first one did. */
  create(): Helper;
  /** Requests of the trace that no helper got: none at the end, from a driver that asks as it did. */
  left(): readonly string[];
}

interface Request {
  readonly helper: number;
  readonly call: number;
  readonly verb: string;
  readonly args: unknown;
}

interface Answer {
  readonly helper: number;
  readonly call: number;
  readonly more?: true;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly json?: unknown;
  /** The same JSON as the answer to this call of this helper. */
  readonly jsonOf?: number;
  readonly bytes?: number;
  readonly status?: string;
  readonly failed?: DriverCode;
}

interface Timed extends Answer {
  /** How many requests came before it, to all helpers. */
  readonly after: number;
}

const WHITE = 0xff;

export function replayedHelpers(lines: readonly HelperLine[]): ReplayedHelpers {
  const requests = lines.flatMap(({ to }) => (isOfHelper(to) ? [to as Request] : []));
  const answers: Timed[] = [];
  let soFar = 0;
  for (const { to, from } of lines) {
    if (isOfHelper(to)) soFar++;
    if (isOfHelper(from)) answers.push({ ...(from as Answer), after: soFar });
  }
  const numbers = [...new Set(requests.map(({ helper }) => helper))];
  const pending = new Map(numbers.map(number => [number, requests.filter(({ helper }) => helper === number)]));
  const unused = [...numbers];
  const waiting: (() => void)[] = [];
  const given = new Set<Timed>();
  let asked = 0;

  const wake = (): void => {
    for (const go of waiting.splice(0)) go();
  };

  function helperOf(): Helper {
    let mine: number | undefined;
    let isOver = false;
    let generation = 0;
    const listeners = new Set<() => void>();

    /** @throws Error that says what the driver asked, and what it asked then */
    function expected(verb: string, args: object): Request {
      mine ??= unused.shift();
      const request = pending.get(mine ?? -1)?.shift();
      if (request?.verb === verb && isDeepStrictEqual(request.args, JSON.parse(JSON.stringify(args)))) return request;
      const then = request ? shown(request) : 'nothing';
      throw new Error(`The driver asks its helper for ${shown({ verb, args })}; in the trace it asks for ${then}.`);
    }

    /**
     * Answers come in the order of the trace, also those of different calls and helpers, and not before the driver has
     * asked what it had asked by then. After an answer to another call, the driver has time to act on it.
     */
    async function turnOf(answer: Timed, before: Timed | undefined): Promise<void> {
      while (!isOver && (asked < answer.after || (before && !given.has(before))))
        await new Promise<void>(resolve => waiting.push(resolve));
      if (before && (before.call !== answer.call || before.helper !== answer.helper))
        await new Promise(resolve => setImmediate(resolve));
      if (isOver) throw new HelperFailure('replayed', 'is closed');
    }

    return {
      async call(verb, args, call) {
        call.signal?.throwIfAborted();
        if (call.generation !== undefined && call.generation !== generation)
          throw new HelperFailure('replayed', 'was replaced after this call began');
        const { helper, call: number } = expected(verb, args);
        generation ||= 1;
        asked++;
        wake();
        for (const [at, answer] of answers.entries()) {
          if (answer.helper !== helper || answer.call !== number) continue;
          await turnOf(answer, answers[at - 1]);
          given.add(answer);
          wake();
          if (answer.status !== undefined) throw new HelperError(answer.status, 'as in the trace');
          if (answer.failed !== undefined) {
            generation++;
            for (const listener of listeners) listener();
            throw new HelperFailure('replayed', 'failed as in the trace', { code: answer.failed });
          }
          const first = answers.find(each => each.helper === helper && each.call === answer.jsonOf);
          const frame = frameOf({ ...answer, ...(first && { json: first.json }) }, call);
          if (!answer.more) return frame;
          await call.onMore?.(frame);
        }
        // It was still unanswered at the end of the trace, such as a request for events.
        while (!isOver) await new Promise<void>(resolve => waiting.push(resolve));
        throw new HelperFailure('replayed', 'is closed');
      },
      get generation() {
        return generation;
      },
      onExit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      kill: () => undefined,
      async close() {
        isOver = true;
        for (const answer of answers) if (answer.helper === mine) given.add(answer);
        wake();
      },
    };
  }

  return {
    create: helperOf,
    left: () => [...pending.values()].flat().map(shown),
  };
}

function frameOf({ fields = {}, json, bytes = 0 }: Answer, { place }: HelperCall): Frame {
  if (json !== undefined) return { header: fields, data: Buffer.from(JSON.stringify(json)) };
  const data = (bytes > 0 ? place?.(fields, bytes) : undefined) ?? new Uint8Array(bytes);
  return { header: fields, data: data.fill(WHITE) };
}

const shown = ({ verb, args }: Pick<Request, 'verb' | 'args'>): string => `${verb} ${JSON.stringify(args)}`;

const isOfHelper = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'helper' in message && 'call' in message;
