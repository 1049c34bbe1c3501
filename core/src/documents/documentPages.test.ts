/** Which pages a document has, and how it waits for those of a scan that runs. */
import { setImmediate as breathe } from 'node:timers/promises';
import t from 'tap';
import { ScanError } from '../contract/errors.js';
import type { KeptScan } from '../kept/keptScan.js';
import { documentPages } from './documentPages.js';
import { endedScan, runningScan, storedPage } from './documents.test.kit.js';

const { signal } = new AbortController();
const kept = { isKept: () => true };
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
  for await (const { page } of documentPages(scan, pages ? { pages } : {}, kept, signal)) numbers.push(page.pageNumber);
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
    const pages = documentPages(scan, {}, kept, signal);
    const first = pages.next();
    add(storedPage({ pageNumber: 1 }), storedPage({ pageNumber: 2 }));
    t.match(await first, { value: { page: { pageNumber: 1 } } });
    t.match(await pages.next(), { value: { page: { pageNumber: 2 } } });
    const third = pages.next();
    add(storedPage({ pageNumber: 3 }));
    t.match(await third, { value: { page: { pageNumber: 3 } } });
    const last = pages.next();
    end(how, code);
    t.match(await last, { done: true });
  });

t.test('document pages: a wanted page of a running scan, waited for; if it never comes, refused', async t => {
  const { scan, add, end } = runningScan([storedPage({ pageNumber: 1 })]);
  const pages = documentPages(scan, { pages: [2, 1, 3] }, kept, signal);
  const first = pages.next();
  add(storedPage({ pageNumber: 2 }));
  t.match(await first, { value: { page: { pageNumber: 2 } } });
  t.match(await pages.next(), { value: { page: { pageNumber: 1 } } });
  const third = pages.next();
  end('failed', 'paper-jam');
  await t.rejects(third, { code: 'invalid-value', field: 'pages' });
});

t.test('document pages: the scan is let go meanwhile, an error and never an end', async t => {
  const { scan, letGo } = runningScan([storedPage({ pageNumber: 1 })]);
  let isKept = true;
  const pages = documentPages(scan, {}, { isKept: () => isKept }, signal);
  await pages.next();
  const next = pages.next();
  isKept = false;
  letGo();
  await t.rejects(next, { code: 'storage-failed' });
});

t.test('document pages: abandoned while it waits, the reason; nothing listens any more', async t => {
  const { scan } = runningScan();
  const controller = new AbortController();
  const waiting = documentPages(scan, {}, kept, controller.signal).next();
  await breathe();
  const reason = new ScanError('cancelled', 'gone');
  controller.abort(reason);
  await t.rejects(waiting, reason);
  await t.rejects(documentPages(scan, {}, kept, controller.signal).next(), reason);
});

t.test('document pages: 10,000 pages, in time that grows with their number', async t => {
  const pages = Array.from({ length: 10_000 }, (_, at) => storedPage({ pageNumber: at + 1 }));
  t.equal((await numbersOf(endedScan(pages))).length, 10_000);
});
