/** Tells plugins that follow scans what happened: in order, each by itself, and never so that a scan waits. */
import type { Log } from '../contract/plugin.js';
import { messageOf } from '../contract/errors.js';
import type { ScanEvent } from '../contract/scanEvents.js';
import type { Follower } from '../registry/registry.js';
import type { Clock } from '../time/clock.js';
import { settledWithin } from '../time/wait.js';

/** Events that wait for a slow plugin; further ones are lost, and the log says how many. */
export const MOST_WAITING = 1000;
/** A call that takes longer is not waited for any more. */
export const FOLLOW_DEADLINE_MS = 5000;

export interface Followers {
  /** Never rejects. @param to those who were loaded when the scan began. @returns resolves when all were told */
  tell(event: ScanEvent, to: readonly Follower[]): Promise<void>;
}

interface Queue {
  readonly waiting: ScanEvent[];
  running: Promise<void> | undefined;
  lost: number;
  failures: number;
}

export interface FollowersParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether they are told which web pages asked. */
  readonly origins: boolean;
}

export function createFollowers({ clock, log, origins }: FollowersParts): Followers {
  const queues = new WeakMap<Follower, Queue>();

  async function drain(follower: Follower, queue: Queue): Promise<void> {
    for (let event = queue.waiting.shift(); event; event = queue.waiting.shift()) {
      const fault = await faultOf(follower, event);
      // One line for a plugin that fails with each page.
      if (fault !== undefined && queue.failures++ === 0)
        log.warn(
          `The plugin "${follower.plugin}" failed at the event ${event.event}: ${fault}. The scan is not concerned.`,
        );
    }
    if (queue.lost > 0) log.warn(`The plugin "${follower.plugin}" was too slow: ${queue.lost} events were lost.`);
    queue.lost = 0;
    queue.running = undefined;
  }

  async function faultOf({ follow }: Follower, event: ScanEvent): Promise<string | undefined> {
    try {
      const telling = Promise.resolve(follow(event));
      if (await settledWithin(telling, FOLLOW_DEADLINE_MS, clock)) return void (await telling);
      // What comes of it is nobody's business any more.
      telling.catch(() => undefined);
      return `it took longer than ${FOLLOW_DEADLINE_MS / 1000} s`;
    } catch (error) {
      return messageOf(error);
    }
  }

  return {
    async tell({ origins: asked = [], ...event }, to) {
      const shown = origins && asked.length > 0 ? { origins: Object.freeze([...asked]) } : {};
      const told: ScanEvent = Object.freeze({ ...event, ...shown });
      await Promise.all(
        to.map(follower => {
          const queue = queues.get(follower) ?? { waiting: [], running: undefined, lost: 0, failures: 0 };
          queues.set(follower, queue);
          if (queue.waiting.length < MOST_WAITING) queue.waiting.push(told);
          else queue.lost++;
          // Not in this turn: a plugin that computes for long does so after the scan has gone on.
          return (queue.running ??= Promise.resolve().then(() => drain(follower, queue)));
        }),
      );
    },
  };
}
