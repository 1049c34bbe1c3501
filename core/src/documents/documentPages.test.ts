/** Which pages a document has, and how it waits for those of a scan that runs. */
import { setImmediate as breathe } from 'node:timers/promises';
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import { findPage, pagesOfScans, type ListedPage } from './documentPages.js';
import { endedScan, runningScan, sourceOf, storedPage } from './documents.test.kit.js';

const { signal } = new AbortController();
const blank = { isBlank: true, ink: 0, why: 'nothing' };
const inked = { isBlank: false, ink: 0.1, why: 'text' };
const four = [
  storedPage({ pageNumber: 1, blank: inked }),
  storedPage({ pageNumber: 2, blank }),
  storedPage({ pageNumber: 3 }),
  storedPage({ pageNumber: 5, blank: inked }),
];

async function numbersOf(scan: KeptScan, pages?: readonly number[]): Promise<number[]> {
  const numbers: number[] = [];
  for await (const { number } of sourceOf(scan, pages ? { pages } : {}).pages(signal)) numbers.push(number);
  return numbers;
}

t.test('document pages: all in order; blank ones only unless the scan drops them', async t => {
  t.same(await numbersOf(endedScan(four)), [1, 2, 3, 5]);
  t.same(await numbersOf(endedScan(four, { blankPages: 'flag' })), [1, 2, 3, 5]);
  t.same(await numbersOf(endedScan(four, { blankPages: 'drop' })), [1, 3, 5]);
  t.same(await numbersOf(endedScan([])), []);
});

t.test('document pages: wanted by number, in that order, twice, and blank ones too', async t => {
  t.same(await numbersOf(endedScan(four, { blankPages: 'drop' }), [3, 2, 2, 1]), [3, 2, 2, 1]);
  for (const missing of [[4], [6], [1, 0]])
    await t.rejects(numbersOf(endedScan(four), missing), { code: 'invalid-value', field: 'pages' }, `${missing}`);
});

for (const [how, code] of [
  ['completed', undefined],
  ['failed', 'paper-jam'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'service-ended'],
] as const)
  t.test(`document pages: the scan runs and is then ${how}, each page as it comes`, async t => {
    const { scan, add, end } = runningScan();
    const pages = sourceOf(scan).pages(signal);
    const first = pages.next();
    add(storedPage({ pageNumber: 1 }), storedPage({ pageNumber: 2 }));
    t.match(await first, { value: { number: 1, turn: 0 } });
    t.match(await pages.next(), { value: { number: 2, turn: 0 } });
    const third = pages.next();
    add(storedPage({ pageNumber: 3 }));
    t.match(await third, { value: { number: 3, turn: 0 } });
    const last = pages.next();
    end(how, code);
    t.match(await last, { done: true });
  });

t.test('document pages: a wanted page of a running scan, waited for; if it never comes, refused', async t => {
  const { scan, add, end } = runningScan([storedPage({ pageNumber: 1 })]);
  const pages = sourceOf(scan, { pages: [2, 1, 3] }).pages(signal);
  const first = pages.next();
  add(storedPage({ pageNumber: 2 }));
  t.match(await first, { value: { number: 2, turn: 0 } });
  t.match(await pages.next(), { value: { number: 1, turn: 0 } });
  const third = pages.next();
  end('failed', 'paper-jam');
  await t.rejects(third, { code: 'invalid-value', field: 'pages' });
});

t.test('document pages: the scan is let go meanwhile, an error and never an end', async t => {
  const { scan, letGo } = runningScan([storedPage({ pageNumber: 1 })]);
  let isKept = true;
  const pages = sourceOf(scan, {}, () => isKept).pages(signal);
  await pages.next();
  const next = pages.next();
  isKept = false;
  letGo();
  await t.rejects(next, { code: 'storage-failed' });
});

t.test('document pages: abandoned while it waits, the reason; nothing listens any more', async t => {
  const { scan } = runningScan();
  const controller = new AbortController();
  const waiting = sourceOf(scan).pages(controller.signal).next();
  await breathe();
  const reason = new ScanError('cancelled', 'gone');
  controller.abort(reason);
  await t.rejects(waiting, reason);
  await t.rejects(sourceOf(scan).pages(controller.signal).next(), reason);
});

t.test('document pages: 10,000 pages, in time that grows with their number', async t => {
  const pages = Array.from({ length: 10_000 }, (_, at) => storedPage({ pageNumber: at + 1 }));
  t.equal((await numbersOf(endedScan(pages))).length, 10_000);
});

t.test('document pages: of several scans, in the wanted order; the same page has the same number', async t => {
  const [a, b] = [endedScan(four), { ...endedScan([storedPage({ pageNumber: 1 })]), id: 'b', createdAt: 9 }];
  const listed = (scan: KeptScan, number: number, turn: ListedPage['turn'] = 0): ListedPage => ({
    scan,
    stored: findPage(scan, number)!,
    turn,
  });
  const source = pagesOfScans([listed(b, 1, 90), listed(a, 1), listed(a, 5, 180), listed(b, 1)], () => true);
  t.equal(source.createdAt, 9, 'of the scan of the first page');
  const found = [];
  for await (const { stored, number, turn } of source.pages(signal)) found.push([stored, number, turn]);
  const [page] = b.pages;
  t.strictSame(found, [
    [page, 1, 90],
    [a.pages[0], 2, 0],
    [a.pages[3], 3, 180],
    [page, 1, 0],
  ]);
});

t.test('document pages: one of several scans is let go meanwhile, an error and never an end', async t => {
  const [a, b] = [endedScan(four), endedScan([storedPage({ pageNumber: 1 })])];
  const kept = new Set([a, b]);
  const listed = [a, b].map(scan => ({ scan, stored: scan.pages[0]!, turn: 0 as const }));
  const pages = pagesOfScans(listed, scan => kept.has(scan)).pages(signal);
  t.match(await pages.next(), { value: { number: 1 } });
  kept.delete(b);
  await t.rejects(pages.next(), { code: 'storage-failed' });
});

t.test('document pages: a page by its number, also if numbers begin above 1', async t => {
  const [scan, late] = [endedScan(four), endedScan([7, 8].map(pageNumber => storedPage({ pageNumber })))];
  t.equal(findPage(scan, 5), scan.pages[3]);
  t.equal(findPage(late, 8), late.pages[1]);
  for (const [of, number] of [
    [scan, 4],
    [scan, 6],
    [scan, 0],
    [late, 1],
    [endedScan([]), 1],
  ] as const)
    // prettier-ignore
    t.equal(findPage(of, number), undefined, String(number));
});
