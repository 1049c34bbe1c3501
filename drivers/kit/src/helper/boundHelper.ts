/** A helper bound to one of its processes: what was opened in a process is gone with it. */
import type { Frame } from '../frames/frames.js';
import { statusOf } from './helperError.js';
import type { Helper, HelperCall } from './helperTypes.js';

/** A call without the process: that is the bound one. */
export type BoundCall = Omit<HelperCall, 'generation'>;

export interface BoundHelper {
  /** Whether the process that was bound to still answers. */
  readonly isBound: boolean;
  /** Sends the first verb, such as `init`, and binds to the process that answers; starts one where none runs. */
  bind(verb: string, args: object, call: BoundCall): Promise<Frame>;
  /**
   * Sends a verb to the bound process, and never starts another one.
   * @throws HelperError, the answer of a helper that works; anything else means that the process is gone
   */
  call(verb: string, args: object, call: BoundCall): Promise<Frame>;
  kill(reason: string): void;
}

/**
 * @param onGone called when the bound process is gone, or on its way: once for each that was bound. `why` is what a call
 *   failed with; undefined where the end came between calls
 */
export function boundHelper(helper: Helper, onGone: (why?: unknown) => void): BoundHelper {
  let generation: number | undefined;

  function gone(why?: unknown): void {
    if (generation === undefined) return;
    generation = undefined;
    onGone(why);
  }

  // The end of an earlier process may be told when this one runs already.
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
      // Not before it has answered: the end of the process before it is told when this one starts.
      generation = helper.generation;
      return frame;
    },
    // -1 is the number of no process: the call fails as one to a process that is gone.
    call: (verb, args, call) => answer(helper.call(verb, args, { ...call, generation: generation ?? -1 })),
    kill(reason) {
      helper.kill(reason);
      gone();
    },
  };
}
