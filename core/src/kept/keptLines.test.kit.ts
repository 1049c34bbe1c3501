/** The lines of a walk over kept scans: who uses each scanner or waits for it, from the call until its scan ends. */
import { hold } from '../walk.test.kit.js';
import { LEFT_MS } from './attendance.js';
import type { KeptScan } from './keptScan.js';
import { scanners, type Origin, type ScannerName, type World } from './keptWorld.test.kit.js';

/** What a client asks for. */
export interface Call {
  readonly origin: Origin;
  readonly scannerName: ScannerName;
  /** Milliseconds for which it waits in line; 0: it does not. */
  readonly waitMs?: number;
  /** Of the scan, if that is there before the call is answered. */
  readonly pages?: KeptScan['pages'];
}

/** One call, which uses its scanner or waits for it. */
export interface Use {
  readonly origin: Origin;
  readonly scannerName: ScannerName;
  readonly waitMs: number;
  /** Among all calls and ends. */
  readonly order: number;
  readonly calledAt: number;
  acceptedAt: number | undefined;
  /** Identifies its scan. */
  pages: KeptScan['pages'] | undefined;
  isCancelled: boolean;
  /** Whether it was seen to have the scanner. */
  hadTurn: boolean;
  /** Among all calls and ends. Undefined while it may use the scanner. */
  overAt: number | undefined;
  /** One for each request of its client. */
  readonly leaves: (() => void)[];
  /** Since when its client is away: not before `from`, not after `to`. */
  absent: { readonly from: number; readonly to: number } | undefined;
}

/** With which a scan fails after paper may move. */
const failures = ['no-paper', 'paper-jam', 'storage-full', 'timeout'];

export function createLines(world: World) {
  const uses: Use[] = [];
  let moment = 0;
  const now = (): number => world.service.clock.now();
  const useOf = (scan: KeptScan): Use | undefined =>
    uses.findLast(({ pages, overAt }) => overAt === undefined && pages === scan.pages);
  const over = (use: Use): void => void (use.overAt = ++moment);

  const lines = {
    /** Call it at once before the call. */
    call({ origin, scannerName, waitMs = 0, pages }: Call): Use {
      const use: Use = {
        ...{ origin, scannerName, waitMs, pages },
        order: ++moment,
        calledAt: now(),
        acceptedAt: undefined,
        isCancelled: false,
        hadTurn: false,
        overAt: undefined,
        leaves: [],
        absent: undefined,
      };
      uses.push(use);
      return use;
    },
    /** It runs, or waits. Resolves when it has ended. */
    async accepted(use: Use, scan: KeptScan): Promise<void> {
      Object.assign(use, { pages: scan.pages, acceptedAt: now(), absent: { from: use.calledAt, to: now() } });
      while (scan.state === 'running') await scan.changed();
      lines.ended(use, scan);
    },
    ended(use: Use, { state, code }: Pick<KeptScan, 'state' | 'code'>): void {
      over(use);
      const { waitMs, calledAt, hadTurn, isCancelled, absent } = use;
      const waits = waitMs > 0 && !hadTurn;
      const isLate = waits && now() - calledAt >= waitMs;
      const hasLeft = waits && absent !== undefined && now() - absent.from >= LEFT_MS;
      const mayBe =
        state === 'completed' ||
        (state === 'interrupted' && world.isStopping) ||
        (state === 'cancelled' && (isCancelled || hasLeft)) ||
        (state === 'failed' && (failures.includes(code ?? '') || (code === 'busy' && isLate)));
      hold(mayBe, () => `a scan on ${use.scannerName} is ${state} with ${code}: ${JSON.stringify(use)}`);
    },
    /** It is over before its scan was there. */
    refused(use: Use, code: unknown): void {
      over(use);
      const { order, scannerName, waitMs, isCancelled } = use;
      if (code === 'cancelled') hold(isCancelled || world.isStopping, () => `nobody cancelled a call`);
      if (code === 'service-ended') hold(world.isStopping, () => 'a call ended with the service, which goes on');
      if (code !== 'busy' || world.isStopping) return;
      hold(waitMs === 0, () => `${scannerName} is busy for a scan that waits`);
      const isOther = (other: Use): boolean => other !== use && other.scannerName === scannerName;
      const wasThere = ({ overAt }: Use): boolean => overAt === undefined || overAt > order;
      hold(
        uses.some(other => isOther(other) && wasThere(other)),
        () => `${scannerName} is free, and busy`,
      );
    },
    /** It was the repetition of an earlier one. */
    repeated: over,
    useOf,
    cancel(isMeant: (use: Use) => boolean): void {
      for (const use of uses) if (use.overAt === undefined && isMeant(use)) use.isCancelled = true;
    },
    attend(use: Use, scan: KeptScan): void {
      use.leaves.push(world.service.kept.attend(scan));
      use.absent = undefined;
    },
    hangUp(use: Use): void {
      use.leaves.shift()?.();
      if (use.leaves.length === 0) use.absent ??= { from: now(), to: now() };
    },
    /** Nobody uses a scanner of the next service. */
    restart: () => void uses.splice(0),

    /** @param scans all that clients can find */
    check(scans: readonly KeptScan[]): void {
      const running = scans.filter(({ state }) => state === 'running');
      for (const name of scanners) {
        const its = running.filter(({ scannerName }) => scannerName === name);
        checkLine(
          name,
          uses,
          its.map(scan => {
            const use = useOf(scan);
            hold(use !== undefined, () => `a scan on ${name} runs, and nobody asked for it`);
            return { scan, use };
          }),
          world,
        );
      }
    },
  };

  return lines;
}

interface Running {
  readonly scan: KeptScan;
  readonly use: Use;
}

/**
 * Of one scanner, at one moment.
 * @param uses all
 * @param its scans that run or wait
 */
function checkLine(name: string, uses: readonly Use[], its: readonly Running[], { service, home }: World): void {
  const now = service.clock.now();
  const placeOf = ({ progress }: KeptScan): number => progress.placeInLine ?? 0;
  const waiting = its.filter(({ scan }) => placeOf(scan) > 0).sort((a, b) => placeOf(a.scan) - placeOf(b.scan));
  const having = its.filter(({ scan }) => placeOf(scan) === 0);
  const pending = uses.filter(
    each => each.scannerName === name && each.overAt === undefined && its.every(({ use }) => use !== each),
  );
  const line = (): string =>
    `${name}: ${JSON.stringify(its.map(({ scan, use: { order } }) => ({ order, place: placeOf(scan) })))}`;
  waiting.forEach(({ scan, use }, at) => {
    const { absent, acceptedAt = now, waitMs, hadTurn } = use;
    const before = waiting[at - 1];
    hold(waitMs > 0 && !hadTurn, () => `a scan waits that need not. ${line()}`);
    hold(!before || (before.use.order < use.order && placeOf(before.scan) < placeOf(scan)), line);
    // One that is not there yet, or not any more, may have a place.
    hold(placeOf(scan) - at - 1 <= pending.length && placeOf(scan) > at, line);
    hold(now - acceptedAt < waitMs, () => `a scan waits for longer than it may. ${line()}`);
    hold(!absent || now - absent.to < LEFT_MS, () => `a scan waits whose client has left. ${line()}`);
  });
  // Where an end takes time to be stored, one that ended in line looks as if it had the scanner until then.
  for (const { scan, use } of having) use.hadTurn ||= !home.isSlow || use.waitMs === 0 || scan.pages.length > 0;
  hold(having.length <= 1 || home.isSlow, () => `several have the scanner. ${line()}`);
  hold(waiting.length === 0 || having.length + pending.length > 0, () => `they wait for a free scanner. ${line()}`);
  const served = uses.filter(({ scannerName, hadTurn }) => scannerName === name && hadTurn);
  for (const { use } of waiting)
    hold(
      served.every(({ order }) => order < use.order),
      () => `one that came later was served first. ${line()}`,
    );
}

export type Lines = ReturnType<typeof createLines>;
