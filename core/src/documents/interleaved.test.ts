/** Fronts and backs of a stack in the order of its sheets: which back belongs to which front, and what is refused. */
import t from 'tap';
import type { KeptScan } from '../kept/keptScan.js';
import type { ScanOptions } from '../pipeline/scanOptions.js';
import { endedScan, runningScan, storedPage } from './documents.test.kit.js';
import { interleavedPages, type Passes } from './interleaved.js';

const { signal } = new AbortController();
const blank = { isBlank: true, ink: 0, why: 'nothing' };
const noTurns = new Map<number, never>();

/** A scan with pages 1 to `count`, of which some are blank. */
const scanOf = (count: number, options: Partial<ScanOptions> = {}, blanks: readonly number[] = []): KeptScan =>
  endedScan(
    Array.from({ length: count }, (_, at) =>
      storedPage({ pageNumber: at + 1, ...(blanks.includes(at + 1) ? { blank } : {}) }),
    ),
    options,
  );

/** `F1` for the first page of the fronts, `B2/90` for the second of the backs, turned. */
async function orderOf(fronts: KeptScan, backs: KeptScan, more: Partial<Passes> = {}): Promise<string> {
  const passes = { fronts, backs, backsOrder: 'reversed', turns: noTurns, ...more } as const;
  const found: string[] = [];
  for await (const { stored, turn } of interleavedPages(passes, () => true).pages(signal)) {
    const side = fronts.pages.includes(stored) ? 'F' : 'B';
    found.push(`${side}${stored.page.pageNumber}${turn ? `/${turn}` : ''}`);
  }
  return found.join(' ');
}

t.test('interleaved: the last back first, or the first one first', async t => {
  t.equal(await orderOf(scanOf(3), scanOf(3)), 'F1 B3 F2 B2 F3 B1');
  t.equal(await orderOf(scanOf(3), scanOf(3), { backsOrder: 'same' }), 'F1 B1 F2 B2 F3 B3');
  t.equal(await orderOf(scanOf(1), scanOf(1)), 'F1 B1');
  t.equal(await orderOf(scanOf(0), scanOf(0)), '', 'nothing, which the document refuses');
});

t.test('interleaved: turned by the number of the page in the document', async t => {
  const turns = new Map([
    [2, 180],
    [3, 90],
  ] as const);
  t.equal(await orderOf(scanOf(2), scanOf(2), { turns }), 'F1 B2/180 F2/90 B1');
});

t.test('interleaved: blank pages count, and are left out where their scan drops them', async t => {
  const drops = { blankPages: 'drop' } as const;
  t.equal(await orderOf(scanOf(3, drops), scanOf(3, drops, [1, 2])), 'F1 B3 F2 F3');
  t.equal(await orderOf(scanOf(2, {}, [1]), scanOf(2, drops, [1, 2])), 'F1 F2', 'only the backs drop them');
  const turns = new Map([[3, 90]] as const);
  t.equal(await orderOf(scanOf(2, drops), scanOf(2, drops, [2]), { turns }), 'F1 F2/90 B1', 'they count for turns');
  t.equal(await orderOf(scanOf(1, drops, [1]), scanOf(1, drops, [1])), '');
});

t.test('interleaved: as old as the fronts, also without their pages', async t => {
  const drops = { blankPages: 'drop' } as const;
  const fronts = { ...scanOf(1, drops, [1]), createdAt: 7 };
  const passes = { fronts, backs: scanOf(1), backsOrder: 'same', turns: noTurns } as const;
  t.equal(interleavedPages(passes, () => true).createdAt, 7);
});

t.test('interleaved: unequal counts, a scan that runs, and the same scan twice are refused', async t => {
  const [running, two] = [runningScan().scan, scanOf(2)];
  for (const [fronts, backs, field, accepts] of [
    [two, scanOf(3), 'interleave', /fronts have 2, the backs have 3/],
    [two, scanOf(0), 'interleave', /fronts have 2, the backs have 0/],
    [running, two, 'interleave.fronts', /runs/],
    [two, running, 'interleave.backs', /runs/],
    [two, two, 'interleave.backs', /another scan/],
  ] as const)
    await t.rejects(orderOf(fronts, backs), { code: 'invalid-value', field, accepts });
});
