import t from 'tap';
import type { PlatenErrorCode } from '../../client/errors.js';
import type { Scan } from '../../client/scans/keptScan.js';
import { showEnding } from './scanEnding.js';
import { createNotices, type ShownNotice } from '../messages/notices.js';
import { fakeContext } from '../pages/sheets.test.kit.js';

/** The message at the end of a scan with so many pages, and which of its ways out was pressed. */
async function ended(code: PlatenErrorCode, pages: number, error: string) {
  const context = fakeContext();
  const notices = createNotices(context);
  const pressed: string[] = [];
  showEnding(context, notices, {
    scan: { kind: 'scan', pageCount: pages } as Scan,
    end: { isFault: true, code, error, notes: [] },
    count: pages,
    tookMs: undefined,
    next: pages + 3,
    hasFeeder: true,
    onContinue: () => pressed.push('continue'),
    onLook: () => pressed.push('look'),
  });
  const [notice] = notices.all as [ShownNotice];
  notice.action?.run();
  return { notice, pressed, notices };
}

t.test('ending: a jam after other scans, one number', async t => {
  const { notice, pressed } = await ended('paper-jam', 2, 'Sheet 2 jammed in the feeder.');
  t.match(notice.title, /5/);
  t.equal(notice.detail, '');
  t.same(pressed, ['continue']);
});

t.test('ending: a failure that the page has no own words for, the driver’s', async t => {
  const { notice } = await ended('driver-failed', 2, 'The lamp is broken.');
  t.equal(notice.detail, 'The lamp is broken.');
});

t.test('ending: offline before the first page, Refresh instead of Continue; it goes with the next look', async t => {
  const { notice, pressed, notices } = await ended('device-offline', 0, 'It does not answer.');
  t.same(pressed, ['look']);
  t.notMatch(notice.remedy, /Continue/);
  notices.clearOutdated();
  t.same(notices.all, []);
  t.same((await ended('device-offline', 1, 'It does not answer.')).pressed, ['continue'], 'after a page');
});

t.test('ending: a full disk left pages in memory, the person reads that they must be saved', async t => {
  const scan = (pagesInMemory: number) =>
    ({ kind: 'scan', pageCount: 5, pagesInMemory, continue: async () => undefined }) as unknown as Scan;
  const end = { isFault: true, code: 'storage-failed', error: 'Could not write.', notes: [] } as const;
  const more = {
    count: 5,
    tookMs: 1000,
    next: 6,
    hasFeeder: true,
    onContinue: () => undefined,
    onLook: () => undefined,
  };
  for (const [count, text] of [
    [0, /^The pages before that are kept/],
    [1, /^One page is in memory only/],
    [3, /^3 pages are in memory only/],
  ] as const) {
    const notices = createNotices(fakeContext());
    showEnding(fakeContext(), notices, { ...more, scan: scan(count), end });
    t.match(notices.all[0]?.text, text);
  }
});
