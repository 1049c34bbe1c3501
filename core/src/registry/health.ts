/** The health of the plugins: asked rarely, with a limit, and never while a scan would notice. */
import { setMaxListeners } from 'node:events';
import { messageOf } from '../contract/errors.js';
import type { HealthFact, PluginHealth } from '../contract/health.js';
import type { Log } from '../contract/plugin.js';
import type { Clock } from '../time/clock.js';
import { settledWithin, unlessAborted } from '../time/wait.js';
import type { HealthSource, Registry } from './registry.js';

/** An answer is used for this long. */
export const HEALTH_FRESH_MS = 10 * 60_000;
/** A call that takes longer is not waited for any more. */
export const HEALTH_DEADLINE_MS = 5000;
export const MOST_FACTS = 50;
export const MOST_HEALTH_TEXT = 200;

/** What a plugin said, checked. */
export interface HealthAnswer extends PluginHealth {
  /** Its entry. */
  readonly plugin: string;
  readonly facts: readonly HealthFact[];
  /** Since it was asked. */
  readonly ageSeconds: number;
}

export interface Health {
  /**
   * The health of each plugin that tells it: a plugin is asked if its last answer is 10 minutes old and no scan uses its
   * scanners. One that was never asked is left out. Takes at most 5 s, and never rejects.
   */
  ask(): Promise<readonly HealthAnswer[]>;
  /** What is known of the one with this driver, without asking. */
  known(driverId: string): HealthAnswer | undefined;
  /** Waits for no answer any more. */
  close(): void;
}

export interface HealthParts {
  readonly registry: Pick<Registry, 'healthSources'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the plugin may be asked: nobody uses its scanners. */
  isQuiet(source: HealthSource): boolean;
}

interface Memory {
  at: number;
  health: PluginHealth | undefined;
  asking: Promise<void> | undefined;
  /** A call that was given up still runs. */
  isHung: boolean;
}

export function createHealth({ registry, clock, log, isQuiet }: HealthParts): Health {
  const memories = new WeakMap<HealthSource, Memory>();
  const closing = new AbortController();
  // One for each plugin.
  setMaxListeners(0, closing.signal);

  function memoryOf(source: HealthSource): Memory {
    const memory = memories.get(source) ?? { at: -Infinity, health: undefined, asking: undefined, isHung: false };
    memories.set(source, memory);
    return memory;
  }

  async function askOne(source: HealthSource, memory: Memory): Promise<void> {
    const before = memory.health?.state;
    memory.at = clock.monotonic();
    const health = await toldBy(source, memory);
    memory.health = health;
    if (health.state !== before && health.state !== 'ok')
      log.warn(`The health of the plugin "${source.plugin}" is ${health.state}. ${health.sentence ?? ''}`.trim());
  }

  async function toldBy(source: HealthSource, memory: Memory): Promise<PluginHealth> {
    const end = new AbortController();
    try {
      const telling = Promise.resolve(source.health({ signal: end.signal }));
      const heard = unlessAborted(telling, closing.signal);
      if (await settledWithin(heard, HEALTH_DEADLINE_MS, clock)) return checked(await heard);
      memory.isHung = true;
      const settled = (): void => void (memory.isHung = false);
      telling.then(settled, settled);
      return noHealth(`it took longer than ${HEALTH_DEADLINE_MS / 1000} s`);
    } catch (error) {
      return noHealth(messageOf(error));
    } finally {
      end.abort(new Error('nobody waits for it any more'));
    }
  }

  function answerOf(source: HealthSource): HealthAnswer | undefined {
    const { health, at } = memoryOf(source);
    if (!health) return undefined;
    const ageSeconds = Math.max(0, Math.round((clock.monotonic() - at) / 1000));
    return { plugin: source.plugin, facts: [], ...health, ageSeconds };
  }

  return {
    async ask() {
      const sources = [...registry.healthSources];
      await Promise.all(
        sources.map(async source => {
          const memory = memoryOf(source);
          const isOld = clock.monotonic() - memory.at >= HEALTH_FRESH_MS;
          if (!memory.asking && isOld && !memory.isHung && !closing.signal.aborted && isQuiet(source))
            memory.asking = askOne(source, memory).finally(() => (memory.asking = undefined));
          await memory.asking;
        }),
      );
      return sources.flatMap(source => answerOf(source) ?? []);
    },
    known(driverId) {
      const source = registry.healthSources.find(({ drivers }) => drivers.some(({ id }) => id === driverId));
      return source && answerOf(source);
    },
    close: () => closing.abort(new Error('the service is stopping')),
  };
}

const noHealth = (why: string): PluginHealth => ({
  state: 'failed',
  sentence: shortened(
    `Its health cannot be asked: ${why.replace(/[.\s]+$/, '')}. If this stays, restart the service or ask its vendor.`,
  ),
});

/** A plugin in JavaScript may return anything. */
function checked(value: unknown): PluginHealth {
  const { state, sentence, facts } = fieldsOf(value);
  if (state !== 'ok' && state !== 'warning' && state !== 'failed') return noHealth('it told no state');
  const said = textOf(sentence);
  const list: readonly unknown[] = Array.isArray(facts) ? facts.slice(0, MOST_FACTS) : [];
  return { state, ...(said === undefined ? {} : { sentence: said }), facts: list.flatMap(each => factOf(each) ?? []) };
}

function factOf(value: unknown): HealthFact | undefined {
  const { name, value: its, device, metric, title } = fieldsOf(value);
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,59}$/.test(name)) return undefined;
  const told = typeof its === 'number' ? (Number.isFinite(its) ? its : undefined) : textOf(its);
  if (told === undefined) return undefined;
  const isDeclared = typeof told === 'number' && (metric === 'gauge' || metric === 'counter');
  const [scanner, shown] = [textOf(device), textOf(title)];
  return {
    name,
    value: told,
    ...(scanner === undefined ? {} : { device: scanner }),
    ...(isDeclared ? { metric } : {}),
    ...(shown === undefined ? {} : { title: shown }),
  };
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** One line that can be printed; undefined if nothing is left. */
function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  // Not all of a text of megabytes.
  const line = value
    .slice(0, 10 * MOST_HEALTH_TEXT)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return line === '' ? undefined : shortened(line);
}

function shortened(text: string): string {
  const line = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ');
  const letters = [...line];
  return letters.length <= MOST_HEALTH_TEXT ? line : `${letters.slice(0, MOST_HEALTH_TEXT - 1).join('')}…`;
}
