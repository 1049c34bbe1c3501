/** Auto-scan over fakes, which know what must become of each page. */
import { fakeDriver, fakeFormat, type FakeDriver } from '@platen/conformance';
import { codeOf, ScanError } from '../contract/errors.js';
import { durablePages } from '../kept/durablePages.test.kit.js';
import type { AutoscanFacts, KeptFacts } from '../kept/scanFacts.js';
import { isAutoscan, type ScanStore } from '../kept/scanStore.js';
import type { PageStore, StoredPage } from '../kept/storedPage.js';
import { fakeService, inFront, optionsWith } from '../service.test.kit.js';
import { hold, turns, untilOver } from '../walk.test.kit.js';
import type { OutboxEvent } from '../outbox/place.js';
import type { OutboxReader } from '../outbox/readInTurn.js';

/** Of three web pages and of programs. */
export const origins = ['https://shop.example', 'https://bank.example', 'https://club.example', ''] as const;
type Origin = (typeof origins)[number];
export const IDLE_MS = 20_000;
export const KEPT_MS = 60_000;
const OUTBOX_PAGES = 4;

/** gone: perhaps; somebody or something discarded it. */
type PageState = 'waiting' | 'taken' | 'gone';

interface Reader {
  readonly origin: Origin;
  readonly its: OutboxReader<StoredPage>;
  /** Whether it continues after a page that it had: it may get pages again. */
  readonly again: boolean;
  /** Pages that were taken when it came. */
  readonly before: ReadonlySet<string>;
  readonly got: string[];
  waits: boolean;
  isOver: boolean;
}

const seriesOf = (id: string): string => id.split('-')[0] ?? '';
const numberOf = (id: string): number => Number(id.split('-')[1]);

export function createWalk() {
  const pages = new Map<string, PageState>();
  /** Of which scan a page is. */
  const scanOf = new Map<string, string>();
  /** Which series a scan is, and whose it is. Several that are on together are one series. */
  const series = new Map<string, string>();
  const ownersOf = new Map<string, readonly string[]>();
  const scannerOf = new Map<string, string>();
  /** Scans whose auto-scan is over. */
  const over = new Set<string>();
  /** Scans that end with their pages, also those that come while they end. */
  const fading = new Set<string>();
  const begunAt = new Map<string, number>();
  const reasons = new Set<string>();
  const problems: Error[] = [];
  const readers: Reader[] = [];
  /** Ends the scans that wait in line. */
  const waits = new Set<() => void>();
  let given = 0;
  let stored = 0;
  let calls = 0;
  let disk = durablePages();

  const makeDriver = (): FakeDriver =>
    fakeDriver({
      devices: [
        { name: 'Desk', flatbed: false },
        { name: 'Hall', flatbed: false },
        { name: 'Till', flatbed: false },
      ],
      page: { width: 8, height: 4 },
    });
  const openStore = (): ScanStore => {
    const { read, create } = disk.store();
    return {
      read,
      create(facts) {
        const box = create(facts);
        return box.facts.kind === 'autoscan' ? watched(box, box.facts) : box;
      },
    };
  };
  const watched = <Facts extends KeptFacts>(box: PageStore<Facts>, facts: AutoscanFacts): PageStore<Facts> => {
    series.set(facts.id, facts.series);
    ownersOf.set(facts.id, facts.origins);
    scannerOf.set(facts.id, facts.scannerName);
    begunAt.set(facts.id, service.clock.now());
    return {
      ...box,
      get facts() {
        return box.facts;
      },
      async keep(page, report) {
        const result = await box.keep(page, report);
        const its = `${facts.series}-${page.pageNumber}`;
        hold(!pages.has(its), () => `two pages are ${its}`);
        scanOf.set(its, facts.id);
        pages.set(its, fading.has(facts.id) ? 'gone' : 'waiting');
        stored++;
        const waiting = [...pages].filter(([id, state]) => state === 'waiting' && scanOf.get(id) === facts.id);
        hold(waiting.length <= OUTBOX_PAGES + 1, () => `${waiting.length} pages wait`);
        return result;
      },
      tell(changed) {
        if (changed.origins) ownersOf.set(facts.id, changed.origins);
        if ('end' in changed) over.add(facts.id);
        return box.tell(changed);
      },
    };
  };
  const serve = (driver: FakeDriver, now?: number) => ({
    driver,
    ...fakeService(
      inFront(driver, session => ({
        async *scan(order, call) {
          for await (const page of session.scan(order, call)) {
            if (!call.signal.aborted) given++;
            yield page;
          }
        },
      })),
      {
        format: fakeFormat({ name: 'Png' }),
        autoscan: { idleMs: IDLE_MS, keptMs: KEPT_MS, outboxPages: OUTBOX_PAGES, resendBytes: 0 },
        store: openStore(),
        ...(now === undefined ? {} : { now }),
      },
    ),
  });
  let service = serve(makeDriver());

  const call = (made: Promise<unknown>, ...codes: string[]): void => {
    calls++;
    void made
      .catch((error: unknown) => {
        const isKnown = ['busy', 'device-offline', 'no-source-open', 'timeout', ...codes].includes(
          String(codeOf(error)),
        );
        if (!isKnown) problems.push(new Error(`a call failed with ${String(error)}`, { cause: error }));
      })
      .finally(() => calls--);
  };
  const taken = (id: string | undefined): void => void (id !== undefined && pages.set(id, 'taken'));
  const discard = (isMeant: (id: string) => boolean): void => {
    for (const [id, state] of pages) if (state === 'waiting' && isMeant(id)) pages.set(id, 'gone');
  };
  const owns = (origin: Origin, scan: string | undefined): boolean =>
    scan !== undefined && ownersOf.get(scan)?.includes(origin) === true;
  const isOwn = (id: string, origin: Origin): boolean => owns(origin, scanOf.get(id));

  const check = (reader: Reader, id: string, value: StoredPage): void => {
    const last = reader.got.at(-1);
    hold(value.page.pageNumber === numberOf(id), () => `${id} is page ${value.page.pageNumber}`);
    if (last !== undefined && seriesOf(last) === seriesOf(id))
      hold(numberOf(id) > numberOf(last), () => `${id} comes after ${last}`);
    const seen = reader.got.some(each => each === id);
    hold(!seen, () => `${id} comes twice`);
    hold(reader.again || !reader.before.has(id), () => `${id} was taken before this reader came`);
    reader.got.push(id);
  };
  const onEvent = (reader: Reader, event: OutboxEvent<StoredPage> | undefined): void => {
    if (event?.kind === 'item') return check(reader, event.item.id, event.item.value);
    reader.isOver = true;
    if (event?.kind === 'end')
      hold(reasons.has(event.end.reason), () => `it ended with ${event.end.reason}: ${event.end.message}`);
  };

  const walk = {
    get service() {
      return service;
    },
    get driver() {
      return service.driver;
    },
    readers,
    reasons,
    call,
    discardAll() {
      discard(() => true);
      for (const id of series.keys()) if (!over.has(id)) fading.add(id);
    },
    async wait(ms: number) {
      const { clock } = service;
      await clock.advance(ms);
      // Nobody may have read it for so long; or its pages are too old.
      for (const [its, from] of begunAt) {
        if (clock.now() - from < IDLE_MS) continue;
        reasons.add('unread');
        fading.add(its);
        discard(id => scanOf.get(id) === its);
      }
    },
    isOwn,
    assertSound() {
      if (problems[0]) throw problems[0];
    },
    /** @param scannerName reads only that one */
    come(origin: Origin, lastEventId?: string, scannerName?: string): Reader | undefined {
      const before = new Set([...pages].filter(([, state]) => state === 'taken').map(([id]) => id));
      let its: OutboxReader<StoredPage> | undefined;
      let live: string | undefined;
      try {
        const reading = service.scans.readAutoscan(origin, { lastEventId, scannerName });
        [its, live] = [reading, reading.series];
      } catch (error) {
        hold(codeOf(error) === 'autoscan-off', () => `reading failed with ${String(error)}`);
      }
      // It says that it got all up to this one of its scan, also if nothing is left for it. Who has an auto-scan that is on
      // reads that, and others only what is over and theirs.
      const scan = lastEventId === undefined ? undefined : scanOf.get(lastEventId);
      const isStranger = scan !== undefined && !owns(origin, scan);
      const isOther = scan !== undefined && scannerName !== undefined && scannerOf.get(scan) !== scannerName;
      const isOn = scan !== undefined && live === series.get(scan) && !over.has(scan);
      const isHeard = !isOther && (!isStranger || (isOn && !service.scans.isAutoscanOf(origin, scannerName)));
      if (lastEventId !== undefined && scan !== undefined && isHeard)
        for (const [id] of pages) if (scanOf.get(id) === scan && numberOf(id) <= numberOf(lastEventId)) taken(id);
      if (!its) return undefined;
      const again = lastEventId !== undefined;
      const reader: Reader = { origin, its, again, before, got: [], waits: false, isOver: false };
      readers.push(reader);
      return reader;
    },
    /** Asks for the next event, which confirms the last one. */
    take(reader: Reader): void {
      if (reader.waits || reader.isOver) return;
      taken(reader.got.at(-1));
      reader.waits = true;
      reader.its.events
        .next()
        .then(({ value }) => {
          reader.waits = false;
          onEvent(reader, value ?? undefined);
        })
        .catch((error: unknown) => problems.push(error as Error));
    },
    leave(reader: Reader): void {
      reader.isOver = true;
      reader.its.leave();
      readers.splice(readers.indexOf(reader), 1);
    },
    /** A page of an auto-scan that is over, as a page of a scan. */
    fetch(origin: Origin, place: number): void {
      const [scan] = service.scans.kept.list(origin);
      const left = scan?.pages.filter(({ delivered }) => !delivered) ?? [];
      const page = left[place % left.length];
      if (!scan || !page) return;
      hold(scan.origins.includes(origin), () => `a scan of ${scan.origins.join()}`);
      const id = `${series.get(scan.id)}-${page.page.pageNumber}`;
      hold(pages.get(id) !== 'taken', () => `${id} was taken, and is offered as a page of a scan`);
      page.deliver();
      taken(id);
    },
    async restart(isCrash: boolean) {
      reasons.add('service-ended');
      reasons.add('service-stopped');
      const { clock, scans, driver } = service;
      for (const each of [...readers]) walk.leave(each);
      if (isCrash) disk = disk.copy();
      let isClosed = false;
      driver.release();
      void scans.close('The service stops.').then(() => (isClosed = true));
      await untilOver('the service', () => isClosed && calls === 0, clock);
      hold(clock.timers === 0, () => `${clock.timers} timers are left`);
      if (isCrash) {
        // Pages that were stored after the crash were stored elsewhere.
        const kept = new Set(
          (await disk.store().read())
            .filter(isAutoscan)
            .flatMap(box => box.found.map(each => `${box.facts.series}-${each.page.pageNumber}`)),
        );
        discard(id => !kept.has(id));
      }
      hold(driver.opened === driver.closed, () => `${driver.opened} sessions were opened, ${driver.closed} closed`);
      service = serve(makeDriver(), clock.now());
      await service.scans.ready();
    },
    /** On demand, by another client. @param waitMs milliseconds for which it waits in line; 0: it does not */
    scan(scannerName: string, waitMs: number) {
      const { clock, scans } = service;
      const calledAt = clock.now();
      let place: number | undefined;
      const told = (its: number | undefined): void => void (place = its);
      try {
        const run = scans.scan(
          { scannerName, options: optionsWith({ sheets: 1 }) },
          { keep: async () => void stored++ as undefined, ...(waitMs > 0 ? { line: { ms: waitMs, told } } : {}) },
        );
        calls++;
        const endWait = (): void => void (place !== undefined && run.end(new ScanError('cancelled', 'It waits.')));
        waits.add(endWait);
        void run.over
          .then(error => {
            const isLate = clock.now() - calledAt >= waitMs;
            if (place === undefined || (error?.code === 'busy' && isLate)) return;
            if (error?.code === 'service-ended' || error?.code === 'cancelled') return;
            problems.push(new Error(`a scan at place ${place} ended with ${String(error)}`));
          })
          .finally(() => (calls--, waits.delete(endWait)));
      } catch (error) {
        hold(codeOf(error) === 'busy', () => `refused with ${String(error)}`);
      }
    },
    /** A scanner that nobody uses scans one sheet, whatever the others do. */
    async beside(scannerName: string) {
      const id = `fake-${['Desk', 'Hall', 'Till'].indexOf(scannerName) + 1}`;
      service.driver.load(1, id);
      let came = 0;
      const keep = async (): Promise<undefined> => void (came++, stored++);
      const error = await service.scans.scan({ scannerName, options: optionsWith({ sheets: 1 }) }, { keep }).over;
      hold(!error && came === 1, () => `${came} pages come beside auto-scan: ${String(error)}`);
    },
    /** All that a reader gets until nothing more comes. */
    async all(origin: Origin): Promise<readonly string[]> {
      const reader = walk.come(origin);
      if (!reader) return [];
      for (let rest = 0; rest < 3 && !reader.isOver;) {
        rest = reader.waits ? rest + 1 : 0;
        walk.take(reader);
        await turns(4);
      }
      walk.assertSound();
      walk.leave(reader);
      return reader.got;
    },
    async end() {
      for (const each of [...readers]) walk.leave(each);
      const { driver } = service;
      for (const id of ['fake-1', 'fake-2', 'fake-3']) {
        driver.clearFaults(id);
        driver.plug(id);
      }
      driver.release();
      for (const end of waits) end();
      await untilOver('a call', () => calls === 0, service.clock);
      let isClosed = false;
      reasons.add('consent-ended');
      void Promise.all(origins.map(each => service.scans.withdrawAutoscan(each))).then(() => (isClosed = true));
      await untilOver('the auto-scan', () => isClosed, service.clock);
      walk.assertSound();
      hold(given === stored, () => `${given} pages were scanned, ${stored} stored`);
      for (const origin of origins) {
        const waiting = [...pages].filter(([id, state]) => state === 'waiting' && isOwn(id, origin)).map(([id]) => id);
        const got = await walk.all(origin);
        const lost = waiting.filter(id => !got.includes(id));
        hold(lost.length === 0, () => `${lost.join()} of ${[...pages].join(' ')} never come; ${got.join()} come`);
      }
      await walk.next();
      await walk.restart(false);
    },
    /** The next auto-scan scans what is in the feeder, and others scan beside it. */
    async next() {
      const { driver, scans, clock } = service;
      driver.load(2);
      const sheets = driver.remaining();
      let isOn = false;
      void scans.enableAutoscan(optionsWith(), 'Desk', origins[0]).then(() => (isOn = true));
      await untilOver('enable', () => isOn, clock);
      let beside = 0;
      for (const name of ['Hall', 'Till'])
        void walk.beside(name).then(
          () => beside++,
          (error: unknown) => problems.push(error as Error),
        );
      await untilOver('a scan beside auto-scan', () => beside === 2 || problems.length > 0, clock);
      walk.assertSound();
      const reader = walk.come(origins[0]);
      hold(reader !== undefined, () => 'auto-scan is on, and cannot be read');
      const isComplete = (): boolean => {
        walk.assertSound();
        walk.take(reader);
        return reader.got.length >= sheets;
      };
      for (let round = 0; !isComplete(); round++) {
        hold(round < 100 && !reader.isOver, () => `${reader.got.length} of ${sheets} pages come`);
        await clock.advance(500);
        await turns(5);
      }
      hold(
        reader.got.map(numberOf).every((n, i) => n === i + 1),
        () => `pages ${reader.got.join()}`,
      );
    },
  };
  return walk;
}
export type Walk = ReturnType<typeof createWalk>;
