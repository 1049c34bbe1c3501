import t from 'tap';
import type { PlatenErrorCode } from '../client/errors.js';
import type { Scan } from '../client/keptScan.js';
import { showEnding } from './ending.js';
import { createNotices, type ShownNotice } from './notices.js';
import { fakeContext } from './sheets.test.kit.js';

/** The message at the end of a scan with so many pages, and which of its ways out was pressed. */
async function ended(code: PlatenErrorCode, pages: number, error: string) {
  const context = fakeContext();
  const notices = createNotices(context);
  const pressed: string[] = [];
  await showEnding(context, notices, {
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
