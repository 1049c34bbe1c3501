/** Page at /app/: scans of closed tabs wait at the service: they are shown, discarded, or let go. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { needs } from '@platen/conformance';
import type { Page } from 'playwright-core';
import t from 'tap';
import { until } from '../spec/calls.js';
import { keptScans, launch, openApp, openTab, untilPages } from './appPage.js';
import { chooseQuick, insert } from './appSheets.js';
import { begin, looked, savedInks, scan, thumbs } from './appStack.js';

const offered = (page: Page, title: string): Promise<void> => page.locator('#waiting').getByText(title).waitFor();

void t.test('page at /app/: scans that wait', async t => {
  if (!needs(t, 'chromium')) return;
  const browser = await launch(t);

  await t.test('two scans of a closed tab: offered, shown, discarded', async t => {
    const fixture = await begin(t);
    const { page } = await openApp(browser, fixture);
    const context = page.context();
    await chooseQuick(page, 'Feeder A');
    await insert(fixture, 'a', 1, 2);
    await scan(page, 2);
    await insert(fixture, 'a', 3);
    await scan(page, 3);
    await page.close();

    const { page: second } = await openTab(context, fixture.url);
    await offered(second, '2 scans are waiting (3 pages)');
    t.equal(await thumbs(second), 0);
    await second.getByRole('button', { name: 'Show them' }).click();
    await untilPages(second, 3);
    t.same(await savedInks(second), [1, 2, 3]);
    await second.getByRole('button', { name: 'Remove page 1' }).click();
    t.equal((await keptScans(fixture)).length, 2, 'until they are closed, the service keeps them');
    await second.close();

    const { page: third } = await openTab(context, fixture.url);
    await looked(third);
    t.equal((await third.locator('#waiting').textContent())?.trim(), '', 'saved or removed: it does not wait');
    t.equal((await keptScans(fixture)).length, 2, 'a download that began is no file yet');
    await third.locator('#saved-documents').getByRole('button', { name: 'Discard' }).click();
    await third.getByRole('button', { name: 'Close this message' }).click();
    await until(async () => (await keptScans(fixture)).length === 0);
    await chooseQuick(third, 'Feeder A');
    await insert(fixture, 'a', 4, 5);
    await scan(third, 2);
    await third.close();

    const { page: last } = await openTab(context, fixture.url);
    await offered(last, 'A scan is waiting (2 pages)');
    await last.getByRole('button', { name: 'Discard' }).click();
    await last.locator('#notes').getByRole('button', { name: 'Undo' }).click();
    await offered(last, 'A scan is waiting (2 pages)');
    t.equal((await keptScans(fixture)).length, 1);
    await last.getByRole('button', { name: 'Discard' }).click();
    await last.getByRole('button', { name: 'Close this message' }).click();
    await until(async () => (await keptScans(fixture)).length === 0);
    await context.close();
  });

  await t.test('an auto-scan whose first page was taken: its rest is offered, saved, and let go', async t => {
    const first = await begin(t);
    const headers = { origin: first.url };
    const body = { scannerName: 'Feeder A', parameters: { resolution: 75 } };
    t.equal((await first.request('POST', '/api/twain/autoscan/enable', { body, headers })).status, 200);
    const files = (): string[] => {
      const kept = join(first.dataDir, 'scans');
      return existsSync(kept) ? readdirSync(kept, { recursive: true, encoding: 'utf8' }) : [];
    };
    const has = (name: string) => until(async () => files().some(each => each.endsWith(name)));
    const stream = await first.events({ headers });
    await insert(first, 'a', 1);
    await has('1.sent.json');
    stream.hangUp();
    await insert(first, 'a', 2, 3);
    await has('3.json');
    first.signal('SIGKILL');
    await first.ended;
    const second = await begin(t, { dataDir: first.dataDir, port: first.port });

    const { page } = await openApp(browser, second);
    await offered(page, 'A scan is waiting (2 pages)');
    await page.getByRole('button', { name: 'Show it' }).click();
    await untilPages(page, 2);
    t.same(await savedInks(page), [2, 3]);
    await page.reload();
    // The service lets an auto-scan go when its pages were fetched.
    await until(async () => (await keptScans(second)).length === 0);
    await page.context().close();
  });
});
