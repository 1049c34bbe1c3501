/** A helper bound to one of its processes, because a device opened in a process is lost with it. */
import type { Frame } from '../frames/frames.js';
import { statusOf } from './helperError.js';
import type { Helper, HelperCall } from './helperTypes.js';

/** A call's options without the process, which is the bound one. */
export type BoundCall = Omit<HelperCall, 'generation'>;

export interface BoundHelper {
  /** Whether the bound process still answers. */
  readonly isBound: boolean;
  /** Sends the first verb, such as `init`, and binds to the process that answers; starts one if none runs. */
  bind(verb: string, args: object, call: BoundCall): Promise<Frame>;
  /**
   * Sends a verb to the bound process; never starts another.
   * @throws HelperError if a working helper answers with an error; any other error means that the process is gone
   */
  call(verb: string, args: object, call: BoundCall): Promise<Frame>;
  kill(reason: string): void;
}

/**
 * @param onGone called once for each bound process, when it is gone or ending. `why` is the error of a
 *   failed call; undefined if the process ended between calls
 */
export function boundHelper(helper: Helper, onGone: (why?: unknown) => void): BoundHelper {
  let generation: number | undefined;

  function gone(why?: unknown): void {
    if (generation === undefined) return;
    generation = undefined;
    onGone(why);
  }

  // The end of an earlier process may be reported when this one already runs.
  helper.onExit(() => generation === helper.generation && gone());

  async function answer(asked: Promise<Frame>): Promise<Frame> {
    try {
      return await asked;
    } catch (error) {
      if (statusOf(error) === undefined) gone(error);
      throw error;
    }
  }

  return {
    get isBound() {
      return generation !== undefined && generation === helper.generation;
    },
    async bind(verb, args, call) {
      if (generation !== helper.generation) gone();
      const frame = await answer(helper.call(verb, args, call));
      // Only after it has answered: the previous process's end is reported while this one starts.
      generation = helper.generation;
      return frame;
    },
    // No process has the number -1: the call fails like one to a process that is gone.
    call: (verb, args, call) => answer(helper.call(verb, args, { ...call, generation: generation ?? -1 })),
    kill(reason) {
      helper.kill(reason);
      gone();
    },
  };
}
