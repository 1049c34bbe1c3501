/**
 * Random walks over auto-scan that keeps its pages: paper comes, readers and followers come and go, pages are fetched, and it
 * is turned off and on. What was ever a page of a scan stays one until its owner lets it go, in order, whoever had it.
 */
import { fakeDriver } from '@platen/conformance';
import * as fc from 'fast-check';
import type { KeptScan } from '../kept/keptScan.js';
import { memoryStore } from '../kept/memoryStore.test.kit.js';
import { command, commands, hold, testWalks, turns } from '../walk.test.kit.js';
import { autoscanRig, FIVE_MINUTES, smallPage } from './autoscan.test.kit.js';

const SHOP = 'https://shop.example';
const RUNS = 150;

type Rig = ReturnType<typeof autoscanRig>;

class KeepingWalk {
  readonly shelves = memoryStore();
  driver = fakeDriver({ devices: [{ name: 'Desk', flatbed: false }], page: smallPage });
  rig!: Rig;
  /** By scan: numbers of its pages, as they were announced. */
  readonly known = new Map<string, number[]>();
  /** Pages of scans that were let go. */
  released = 0;
  readonly leaving: (() => void)[] = [];

  async open(): Promise<this> {
    this.rig = autoscanRig(this.driver, { store: this.shelves.store, outboxPages: 3 });
    await this.rig.scans.ready();
    return this;
  }

  scans(): readonly KeptScan[] {
    return this.rig.scans.kept.list(SHOP);
  }

  /** Also what was announced since the last look. */
  async look(): Promise<void> {
    await this.rig.pass();
    for (const scan of this.scans()) {
      const now = scan.pages.map(({ page }) => page.pageNumber);
      const before = this.known.get(scan.id) ?? [];
      hold(
        before.every((each, at) => each === now[at]),
        () => `a page of ${scan.id} is gone or another: ${now.length} of ${before.length}`,
      );
      hold(
        now.every((each, at) => at === 0 || each > now[at - 1]!),
        () => `in another order: ${now.join(' ')}`,
      );
      this.known.set(scan.id, now);
    }
    const { dropped } = this.shelves.seen;
    hold(dropped <= this.released, () => `${dropped} pages were dropped, and ${this.released} were let go`);
    const ids = new Set(this.scans().map(({ id }) => id));
    for (const [id, pages] of this.known) hold(ids.has(id), () => `${id} with ${pages.length} pages is gone`);
  }

  async release(scan: KeptScan): Promise<void> {
    this.known.delete(scan.id);
    this.released += scan.pages.length;
    await this.rig.scans.kept.release(scan.id);
    hold(this.rig.scans.kept.find(SHOP, scan.id) === undefined, () => 'it is there after its release');
  }

  async end(): Promise<void> {
    await this.rig.scans.disableAutoscan(SHOP);
    await this.look();
    for (const scan of this.scans()) await this.release(scan);
    await this.rig.scans.close('The walk is over.');
  }
}

const running = ({ rig }: KeepingWalk): KeptScan | undefined => rig.scans.keptAutoscanOf(SHOP, 'Desk');

/** What moves paper and pages comes more often. */
const often = [
  fc.constant(
    command<KeepingWalk>('enable', async walk => {
      await walk.rig.enable({}, 'Desk', SHOP, {}).catch(() => undefined);
      await walk.look();
    }),
  ),
  commands('load', fc.integer({ min: 1, max: 12 }), async (walk: KeepingWalk, sheets) => {
    walk.driver.load(sheets);
    await walk.rig.pass(2000);
    await walk.look();
  }),
  commands('fetch', fc.nat(9), async (walk: KeepingWalk, at) => {
    const pages = walk.scans().flatMap(({ pages: its }) => its);
    pages[at % Math.max(1, pages.length)]?.deliver();
    await walk.look();
  }),
  fc.constant(
    command<KeepingWalk>('fetch all', async walk => {
      for (const { pages } of walk.scans()) for (const page of pages) page.deliver();
      await walk.rig.pass(2000);
      await walk.look();
    }),
  ),
  fc.constant(
    command<KeepingWalk>('follow', walk => {
      const scan = running(walk);
      if (scan) walk.leaving.push(walk.rig.scans.kept.attend(scan));
    }),
  ),
];
const steps = [
  fc.constant(command<KeepingWalk>('leave', walk => void walk.leaving.shift()?.())),
  fc.constant(
    command<KeepingWalk>('read', async walk => {
      try {
        const reader = walk.rig.follow(undefined, SHOP);
        await turns(20);
        reader.leave();
      } catch {
        // Auto-scan is off.
      }
      await walk.look();
    }),
  ),
  commands('wait', fc.constantFrom(1000, FIVE_MINUTES), async (walk: KeepingWalk, ms) => {
    await walk.rig.pass(ms);
    await walk.look();
  }),
  fc.constant(
    command<KeepingWalk>('disable', async walk => {
      await walk.rig.scans.disableAutoscan(SHOP);
      await walk.look();
    }),
  ),
  fc.constant(
    command<KeepingWalk>('cancel', async walk => {
      running(walk)?.cancel();
      await walk.look();
    }),
  ),
  fc.constant(
    command<KeepingWalk>('release', async walk => {
      const over = walk.scans().find(({ state }) => state !== 'running');
      if (over) await walk.release(over);
    }),
  ),
];

await testWalks(
  'keeping walks: no page of an auto-scan goes before its owner lets it go',
  RUNS,
  [...steps, ...often, ...often, ...often] as fc.Arbitrary<fc.AsyncCommand<KeepingWalk, KeepingWalk>>[],
  () => new KeepingWalk().open(),
);
