/** The model of a walk over kept scans: what must be there of each scan and page. */
import { hold } from '../walk.test.kit.js';
import type { KeptScan } from './keptScan.js';
import { DAY, hexOf } from './keptScans.test.kit.js';
import { origins, type World } from './keptWorld.test.kit.js';
import { KEY_MS } from './requestKeys.js';
import type { ScanState } from './scanFacts.js';

interface Known {
  readonly origin: string;
  /** The page's bytes, by its number. */
  readonly pages: Map<number, string>;
  readonly delivered: Set<number>;
  state: ScanState;
  /** When it ended, by the system clock: a crash can leave either of two ends. Undefined while it runs. */
  ended: { readonly from: number; readonly to: number } | undefined;
  /** Its client waits for one answer: it may go with that. */
  isAnswer: boolean;
  /** Asked to scan on: it may run, and end, before that is answered. */
  continues: boolean;
}

const after: Readonly<Record<ScanState, readonly ScanState[]>> = {
  running: ['completed', 'failed', 'cancelled', 'interrupted'],
  completed: ['running'],
  failed: ['running'],
  cancelled: ['running'],
  interrupted: ['running'],
};

export function createKeptModel(world: World) {
  const known = new Map<string, Known>();
  /** By the system clock: what ended since, ended after this. */
  let learnedAt = world.service.clock.now();
  const all = (): readonly KeptScan[] => origins.flatMap(each => world.service.kept.list(each));
  const idle = (): KeptScan[] =>
    all().filter(({ id, state }) => state !== 'running' && known.get(id)?.isAnswer !== true);

  /** One that was not started is that of an answer. */
  const knownOf = ({ id, origins: [origin = ''] }: KeptScan): Known => {
    const its = known.get(id) ?? {
      origin,
      pages: new Map(),
      delivered: new Set(),
      state: 'running',
      ended: undefined,
      isAnswer: true,
      continues: false,
    };
    known.set(id, its);
    return its;
  };
  /** Each page that is announced now must be there from now on. */
  const learn = async (): Promise<void> => {
    for (const scan of all()) {
      const its = knownOf(scan);
      if (its.continues) continue;
      hold(scan.state === its.state || after[its.state].includes(scan.state), () => `${its.state}, then ${scan.state}`);
      hold(
        scan.state !== 'interrupted' || its.state === scan.state || world.isStopping,
        () => 'interrupted by a service that goes on',
      );
      const now = world.service.clock.now();
      its.ended = scan.state === 'running' ? undefined : (its.ended ?? { from: learnedAt, to: now });
      its.state = scan.state;
      for (const [at, page] of [...scan.pages].entries()) {
        hold(page.page.pageNumber === at + 1, () => `page ${page.page.pageNumber} comes at place ${at + 1}`);
        const bytes = its.pages.get(at + 1) ?? (await hexOf(page));
        its.pages.set(at + 1, bytes);
      }
      for (const other of origins)
        hold(
          other === its.origin || !world.service.kept.find(other, scan.id),
          () => `${other} finds a scan of ${its.origin}`,
        );
    }
    learnedAt = world.service.clock.now();
  };
  const check = async (): Promise<void> => {
    const bytes = all().reduce((sum, { pages }) => pages.reduce((more, { size }) => more + size, sum), 0);
    const counted = world.service.kept.totals().bytes;
    hold(counted === bytes, () => `${counted} bytes are counted of ${bytes}`);
    for (const [id, { origin, pages, delivered, ended, isAnswer, continues }] of known) {
      const scan = world.service.kept.find(origin, id);
      if (continues) continue;
      const isOldSince = (end: number | undefined): boolean =>
        end !== undefined && world.service.clock.now() - end >= (pages.size > 0 ? DAY : KEY_MS);
      const isOld = isOldSince(ended?.to);
      // A scan that its client has makes room for others.
      const mayGo = isAnswer || isOldSince(ended?.from) || (delivered.size > 0 && delivered.size >= pages.size);
      if (!scan && mayGo) known.delete(id);
      else if (isOld && !isAnswer) hold(!scan, () => `${id} is too old, and there`);
      else if (!isAnswer)
        hold((scan?.pages.length ?? -1) >= pages.size, () => `${id} has ${scan?.pages.length} of ${pages.size} pages`);
    }
    await learn();
  };

  return { known, all, idle, knownOf, learn, check };
}

export type KeptModel = ReturnType<typeof createKeptModel>;
