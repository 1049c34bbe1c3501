/** A scan service with auto-scan over a fake driver, a spool in memory and a clock that stands still. */
import { setImmediate as breathe } from 'node:timers/promises';
import { fakeFormat } from '@platen/conformance';
import type { Driver } from '../contract/driver.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { fakeService, optionsWith } from '../service.test.kit.js';
import type { ScanStore } from '../kept/scanStore.js';
import type { StoredPage } from '../kept/storedPage.js';
import type { OutboxReader } from '../outbox/readInTurn.js';
import type { OutboxEnd } from '../outbox/outboxEnd.js';
import type { Keeping } from './boxes.js';
import type { AutoscanLimits } from './session.js';

export const FIVE_MINUTES = 300_000;
/** For the fake driver: a format that encodes fast. */
export const smallPage = { width: 8, height: 4 };

export interface RigOptions extends Partial<AutoscanLimits> {
  /** Encoding waits for it. */
  readonly until?: Promise<void>;
  /** Instead of one in memory. */
  readonly store?: ScanStore;
  /** What the system clock says. */
  readonly now?: number;
  /** Of kept pages. */
  readonly keepBytes?: number;
}

export const DAY = 86_400_000;

export function autoscanRig(
  driver: Driver | readonly Driver[],
  { until, store, now, keepBytes, ...limits }: RigOptions = {},
) {
  const { clock, scans, log, shelves } = fakeService(driver, {
    format: fakeFormat({ name: 'Png', ...(until ? { until } : {}) }),
    limits: { inactivityMs: 100_000, graceMs: 10_000, deadlineGraceMs: 2000 },
    autoscan: { idleMs: FIVE_MINUTES, outboxPages: 20, resendBytes: 0, keptMs: DAY, ...limits },
    ...(store ? { store } : {}),
    ...(keepBytes === undefined ? {} : { keep: { keepBytes } }),
    ...(now === undefined ? {} : { now }),
  });
  /** Advances the clock and runs everything due by then. */
  const pass = async (ms = 0): Promise<void> => {
    await clock.advance(ms);
    for (let i = 0; i < 6; i++) {
      for (let turn = 0; turn < 30; turn++) await breathe();
      await clock.advance(0);
    }
  };
  return {
    clock,
    scans,
    log,
    shelves,
    pass,
    /** For what files take time: only a test's time limit ends it. */
    async until(condition: () => Promise<boolean>): Promise<void> {
      while (!(await condition().catch(() => false))) await pass();
    },
    enable: (more: Partial<ScanOptions> = {}, name?: string, origin?: string, keeping?: Keeping) =>
      scans.enableAutoscan(optionsWith(more), name, origin, keeping),
    follow: (lastEventId?: string, origin?: string, scannerName?: string) =>
      follow(scans.readAutoscan(origin, { lastEventId, scannerName })),
  };
}

/** Takes all events of a reader, each as a word: `3 front`, `disabled: requested`, `over`. */
export function follow(reader: OutboxReader<StoredPage>) {
  const got: string[] = [];
  const ends: OutboxEnd[] = [];
  const ids: string[] = [];
  const pages: StoredPage['page'][] = [];
  const over = (async () => {
    for await (const event of reader.events) {
      if (event.kind === 'end') {
        got.push(`${event.end.event}: ${event.end.reason}`);
        ends.push(event.end);
      } else {
        const { page } = event.item.value;
        got.push(`${page.pageNumber} ${page.side}`);
        ids.push(event.item.id);
        pages.push(page);
      }
    }
    got.push('over');
  })();
  return { got, ends, ids, pages, over, leave: () => reader.leave() };
}
