/** The sources that each bitness's manager names. A manager that hung is left alone for a while. */
import { codeOf, messageOf, type Log } from '@platen/core/plugin';
import type { Bits, TwainOptions } from '../settings.js';
import type { DataSource } from '../source/dataSource.js';
import type { Identity } from '../source/manager.js';

/** A manager that hangs is asked again after this time, which doubles each time. */
const HUNG_MS = 60_000;
const MOST_HUNG_MS = 30 * 60_000;

export interface SourceIdentities {
  /** The sources of one bitness. @throws the helper's error; at once if it hung a short time ago */
  of(bits: Bits, dataSource: DataSource, signal: AbortSignal): Promise<readonly Identity[]>;
  /** The source with that name, even in a manager that hung before. */
  find(dataSource: DataSource, id: string): Promise<Identity | undefined>;
  /** Managers that hung are asked again at once. */
  retry(): void;
}

/** @param sources the names to use; undefined for all */
export function createSourceIdentities({ sources }: Pick<TwainOptions, 'sources'>, log: Log): SourceIdentities {
  const hung = new Map<Bits, { readonly error: unknown; readonly pauseMs: number; readonly until: number }>();

  const isAllowed = ({ product }: Identity) => product !== '' && (!sources || sources.includes(product));

  return {
    async of(bits, dataSource, signal) {
      const before = hung.get(bits);
      if (before && before.until > performance.now()) throw before.error;
      try {
        const identities = await dataSource.sources();
        hung.delete(bits);
        return identities.filter(isAllowed);
      } catch (error) {
        signal.throwIfAborted();
        if (codeOf(error) === 'timeout') {
          const pauseMs = before ? Math.min(2 * before.pauseMs, MOST_HUNG_MS) : HUNG_MS;
          hung.set(bits, { error, pauseMs, until: performance.now() + pauseMs });
          log.warn(
            `${bits}-bit sources are listed from the last listing: TWAIN's manager for them hangs ` +
              `(${messageOf(error)}). It is asked again in ${pauseMs / 60_000} minutes.`,
          );
        } else log.debug(`${bits}-bit sources are not listed: ${messageOf(error)}`);
        throw error;
      }
    },
    async find(dataSource, id) {
      return (await dataSource.sources()).find(each => each.product === id && isAllowed(each));
    },
    retry: () => hung.clear(),
  };
}
