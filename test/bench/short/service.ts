/** The service itself: its start, its memory at rest, and what many kept scans cost it. */
import { growSides, SCANS } from '../growthRows.js';
import { firstPage, idle, withVirtualScanner } from '../startRows.js';
import type { Group, Plan } from './row.js';

const START_ROUNDS = 3;
const GROWTH_ROUNDS = 3;

const budget = (what: string, unit: string, digits: number, value: number): Plan => ({
  what,
  unit,
  digits,
  wanted: { sign: '≤', value },
  checked: '',
});

export const start: Group<'listens' | 'page' | 'rest'> = {
  needs: [],
  rows: {
    listens: { ...budget('**Shipped configuration**: start until it listens', 's', 2, 0.7), checked: 'its port' },
    page: {
      ...budget('the same, with a virtual scanner: start until the first page, JPEG, 300 dpi', 's', 2, 1.5),
      checked: 'one page',
    },
    rest: { ...budget('the same: resident after 10 s without a request (RSS)', 'MB', 0, 90), checked: '' },
  },
  async measure({ folder, say }) {
    const config = await withVirtualScanner(folder);
    const [listens, page, rest]: number[][] = [[], [], []];
    // The first one fills the system's caches.
    for (let round = 0; round <= START_ROUNDS; round++) {
      const { listenSeconds, idleMegabytes } = await idle(folder);
      const pageSeconds = await firstPage(folder, config);
      say(`start, s: listens ${listenSeconds.toFixed(2)}, first page ${pageSeconds.toFixed(2)}`);
      if (round === 0) continue;
      listens?.push(listenSeconds);
      page?.push(pageSeconds);
      rest?.push(idleMegabytes);
    }
    return { listens: { ours: listens ?? [] }, page: { ours: page ?? [] }, rest: { ours: rest ?? [] } };
  },
};

const peer = 'Platen without kept scans';

export const growth: Group<'listens' | 'scan' | 'list'> = {
  needs: [],
  rows: {
    listens: { ...budget(`${SCANS} kept scans: start until it listens`, 's', 2, 1.5), peer, checked: 'their number' },
    scan: { ...budget('the same: one small scan, kept', 'ms', 1, 1.2), peer, checked: 'its state' },
    list: { ...budget('the same: 50 of their list', 'ms', 1, 5), checked: 'their number' },
  },
  async measure({ folder, say }) {
    const sides = await growSides(folder);
    const rounds: Record<keyof typeof sides, Awaited<ReturnType<typeof sides.none>>>[] = [];
    for (let round = 0; round <= GROWTH_ROUNDS; round++) {
      const reversed = round % 2 > 0;
      const early = reversed ? await sides.many() : undefined;
      const none = await sides.none();
      const many = early ?? (await sides.many());
      say(`kept scans, s: listens ${many.listenSeconds.toFixed(2)}, without them ${none.listenSeconds.toFixed(2)}`);
      if (round > 0) rounds.push({ none, many });
    }
    return {
      listens: {
        ours: rounds.map(({ many }) => many.listenSeconds),
        theirs: rounds.map(({ none }) => none.listenSeconds),
      },
      scan: { ours: rounds.map(({ many }) => many.scanMs), theirs: rounds.map(({ none }) => none.scanMs) },
      list: { ours: rounds.map(({ many }) => many.listMs) },
    };
  },
};
