/** A meter that keeps every promise, and ones that break one each: by the case that must fail, and no other. */
import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises';
import type { Contributions, ScanEvent } from '@platen/core/plugin';
import type { FollowerRig } from '../followerCases.js';

/** What it keeps when the service ends. */
interface Kept {
  pages: number;
}

type Following = Required<Pick<Contributions, 'follow' | 'close'>>;

/** @param differences those of a broken meter; called with each `setup` */
export function meter(differences: (sound: Following, kept: Kept) => Partial<Following> = () => ({})): FollowerRig {
  const kept: Kept = { pages: 0 };
  return {
    setUp() {
      const sound: Following = {
        follow(event) {
          if (event.event === 'scan-ended') kept.pages += event.pages;
        },
        close: async () => undefined,
      };
      return { ...sound, ...differences(sound, kept) };
    },
    counted: () => kept.pages,
  };
}

/** A meter whose `follow` does more, or less, than a sound one's. */
const following = (act: (event: ScanEvent, sound: Following) => void | Promise<void>) => (): FollowerRig =>
  meter(sound => ({ follow: event => act(event, sound) }));

const never = (): Promise<void> => new Promise(() => undefined);
const known: readonly string[] = ['scan-started', 'page-stored', 'scan-ended'] satisfies ScanEvent['event'][];

export const brokenFollowers: Readonly<Record<string, readonly (() => FollowerRig)[]>> = {
  'events-taken': [
    following((event, sound) => {
      void sound.follow(event);
      if (event.event === 'scan-ended' && event.code !== undefined) throw new Error(`no word for ${event.code}`);
    }),
    following(async (event, sound) => {
      await sound.follow(event);
      // Every web page is thanked.
      if (event.origins) Object.assign(event, { origins: [] });
    }),
    following((event, sound) => {
      void sound.follow(event);
      (event.origins as string[] | undefined)?.push('https://meter.example');
    }),
  ],
  'unknown-event-left-alone': [
    following((event, sound) => {
      if (!known.includes(event.event)) throw new Error(`there is no event ${event.event}`);
      return sound.follow(event);
    }),
  ],
  'follow-ends': [
    () => {
      let isAuto = false;
      return meter(sound => ({
        async follow(event) {
          await sound.follow(event);
          if (event.event === 'scan-started') isAuto = event.kind === 'auto-scan';
          if (isAuto && event.event === 'page-stored' && event.page === 2) await never();
        },
      }));
    },
  ],
  'follow-keeps-up': [
    () => {
      const over = new AbortController();
      const rig = meter(sound => ({
        async follow(event) {
          await sound.follow(event);
          if (event.event !== 'page-stored' || event.page <= 10) return;
          await pause(50, undefined, { signal: over.signal }).catch(() => undefined);
        },
      }));
      return {
        ...rig,
        // What is left of its scan runs now, and not while another case looks at what is open.
        async dispose() {
          over.abort();
          await breathe();
        },
      };
    },
  ],
  'follow-loop-free': [
    following((event, sound) => {
      void sound.follow(event);
      if (event.event === 'scan-started') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }),
  ],
  'close-ends': [
    () => meter(() => ({ close: never })),
    () => meter(() => ({ close: () => Promise.reject(new Error('it was closed before')) })),
  ],
  'nothing-left-open': [
    () => {
      const timers: NodeJS.Timeout[] = [];
      const rig = meter(() => (timers.push(setInterval(() => undefined, 60_000)), {}));
      return { ...rig, dispose: async () => timers.forEach(each => clearInterval(each)) };
    },
  ],
  'every-page-counted': [
    following((event, sound) => {
      if (event.event !== 'scan-ended' || event.code === undefined) return sound.follow(event);
    }),
  ],
  'scans-counted-apart': [
    () => {
      let pages = 0;
      return meter((_, kept) => ({
        follow({ event }) {
          if (event === 'scan-started') pages = 0;
          if (event === 'page-stored') pages++;
          if (event === 'scan-ended') kept.pages += pages;
        },
      }));
    },
  ],
  'counts-outlive-a-restart': [() => meter((_, kept) => ((kept.pages = 0), {}))],
};
