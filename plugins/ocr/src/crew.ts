/** The readers at work: as many as there are places, kept between pages, and replaced when they stall, fail or are abandoned. */
import type { PageImage } from './pageImage.js';
import type { Reader } from './reader.js';

export interface Crew {
  /**
   * Reads a page as soon as a place is free, first come, first served.
   * @param prepare makes the image once it is the page's turn; undefined: there is nothing to read
   * @throws the signal's reason; an Error when the engine fails, or is given up after the page's time
   */
  read(prepare: () => Promise<PageImage | undefined>, signal: AbortSignal): Promise<string>;
  /** Gives up what is being read, and ends every reader. */
  close(): Promise<void>;
}

export interface CrewSettings {
  start(): Reader;
  readonly places: number;
  /** How long one page may take. */
  readonly pageMs: number;
}

export function createCrew({ start, places, pageMs }: CrewSettings): Crew {
  const idle: Reader[] = [];
  const waiting: (() => void)[] = [];
  const busy = new Set<Promise<unknown>>();
  const reading = new Set<(reason: Error) => void>();
  let closed: Error | undefined;
  let free = places;

  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };

  const place = async (signal: AbortSignal): Promise<void> => {
    if (free > 0) {
      free--;
      return;
    }
    let turn = (): void => undefined;
    try {
      await until(new Promise<void>(resolve => waiting.push((turn = resolve))), signal);
    } catch (error) {
      const at = waiting.indexOf(turn);
      // Its turn had come in the same moment: the next one has it.
      if (at < 0) release();
      else waiting.splice(at, 1);
      throw error;
    }
  };

  /** Holds a place until the reader is idle again or gone. */
  const work = async (prepare: () => Promise<PageImage | undefined>, signal: AbortSignal): Promise<string> => {
    let reader: Reader | undefined;
    try {
      const image = await until(prepare(), signal);
      if (!image) {
        release();
        return '';
      }
      reader = idle.pop() ?? start();
      const table = await until(reader.read(image), signal);
      idle.push(reader);
      release();
      return table;
    } catch (error) {
      const ended = reader?.end() ?? Promise.resolve();
      track(ended.then(release, release));
      throw error;
    }
  };

  const track = <T>(doing: Promise<T>): Promise<T> => {
    const done = (): void => void busy.delete(doing);
    busy.add(doing);
    doing.then(done, done);
    return doing;
  };

  return {
    async read(prepare, signal) {
      signal.throwIfAborted();
      if (closed) throw closed;
      const giveUp = new AbortController();
      const abandon = (reason: Error): void => giveUp.abort(reason);
      const abandoned = (): void => abandon(signal.reason as Error);
      signal.addEventListener('abort', abandoned, { once: true });
      reading.add(abandon);
      let timer: NodeJS.Timeout | undefined;
      try {
        await place(giveUp.signal);
        timer = setTimeout(() => abandon(new Error(`the engine was given up after ${pageMs / 1000} seconds`)), pageMs);
        return await track(work(prepare, giveUp.signal));
      } finally {
        clearTimeout(timer);
        reading.delete(abandon);
        signal.removeEventListener('abort', abandoned);
      }
    },

    async close() {
      closed = new Error('text recognition has ended');
      for (const abandon of reading) abandon(closed);
      while (busy.size > 0) await Promise.allSettled(busy);
      await Promise.all(idle.splice(0).map(reader => reader.end()));
    },
  };
}

/** What is being done, or the signal's reason as soon as it is abandoned. */
function until<T>(doing: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abandon, { once: true });
    if (signal.aborted) abandon();
    void doing.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
