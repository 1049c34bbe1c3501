import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { choose, drop, launch, openApp, startToTry, untilPages } from './appPage.js';

void t.test('page at /app/: its service is lost', async t => {
  if (!needs(t, 'chromium')) return;
  const fixture = await startToTry(t);
  const browser = await launch(t);

  await t.test('auto-scan: the connection is lost, comes back, and no page is missing', async t => {
    const wire = await wireTo(t, fixture.port);
    const { page, problems } = await openApp(browser, { ...fixture, url: wire.url });
    await choose(page, 'Feeder A');
    await page.getByRole('switch', { name: 'Read text' }).uncheck();
    await Promise.all([
      page.waitForResponse('**/api/scans/*/events'),
      page.getByRole('button', { name: 'Auto-scan', exact: true }).click(),
    ]);
    wire.cut();
    await page.getByText('Reconnecting to the scanning service…').first().waitFor();
    await page.getByText('Service does not answer', { exact: true }).waitFor();
    wire.restore();
    await page.getByText(/^Running · /).waitFor();
    await page.getByText('Reconnecting to the scanning service…').first().waitFor({ state: 'detached' });
    await drop(page, 'letter.png');
    await untilPages(page, 1);
    await page.getByRole('button', { name: 'Stop auto-scan' }).click();
    await page.locator('#notes').getByText('Auto-scan is off').waitFor();
    t.same(
      problems.filter(problem => !/net::ERR_/.test(problem)),
      [],
    );
    await page.close();
  });

  await t.test('killed while nothing is scanned, and started again: the page sees both by itself', async t => {
    const wire = await wireTo(t, fixture.port);
    const { page } = await openApp(browser, { ...fixture, url: wire.url });
    await page.getByText(/^Running · /).waitFor();
    wire.cut();
    await page.getByText('Service does not answer', { exact: true }).waitFor();
    await page.locator('#refresh').click();
    await page.getByRole('alert').getByText('The service does not answer').waitFor();
    wire.restore();
    await page.getByText(/^Running · /).waitFor();
    await page.locator('#scan:enabled').waitFor();
    await page.locator('#alerts .notice').waitFor({ state: 'detached' });
    await page.close();
  });

  await t.test('no service: a message with the remedy', async t => {
    const { page } = await openApp(browser, fixture);
    await page.route(`${fixture.url}/**`, route => route.abort('connectionrefused'));
    await page.locator('#refresh').click();
    const alert = page.getByRole('alert');
    await alert.getByText('The service does not answer').waitFor();
    t.match(await alert.textContent(), /start the service/i);
    t.ok(
      await page.locator('#alerts svg').evaluateAll(all => all.length > 0 && all.every(icon => icon.clientWidth > 0)),
      'the icons still show',
    );
    t.match(await page.locator('#health-text').textContent(), /does not answer/);
    t.match(
      await page.locator('#empty-text').textContent(),
      /^Choose a scanner/,
      'does not name a scanner that is gone',
    );
    await page.unrouteAll();
    await page.route('**/api/twain/scanners?*', route =>
      route.fulfill({
        status: 503,
        headers: { 'platen-error': '{"code":"not-connected"}' },
        json: { success: false, error: 'The desktop application is not connected.' },
      }),
    );
    await page.locator('#refresh').click();
    await alert.getByText('The desktop application is not running').waitFor();
    await page.unrouteAll();
    let goOn = (): void => undefined;
    const held = new Promise<void>(resolve => (goOn = resolve));
    await page.route('**/api/twain/scanners?*', route => held.then(() => route.continue()));
    await page.locator('#refresh').click();
    await page.getByRole('radiogroup', { name: 'Scanner' }).getByText('Looking for scanners…').waitFor();
    t.equal(await page.locator('#alerts').textContent(), '', 'the old message is removed');
    goOn();
    await page.locator('#scan:enabled').waitFor();
    await page.close();
  });
});

/** A connection to a service that can be cut and restored. */
async function wireTo(t: Test, port: number): Promise<{ url: string; cut(): void; restore(): void }> {
  const ends = new Set<Socket>();
  let isCut = false;
  const server = createServer(near => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(end);
      end
        .on('error', () => undefined)
        .on('close', () => {
          ends.delete(end);
          other.destroy();
        });
      end.pipe(other);
    }
  });
  const cut = (): void => {
    isCut = true;
    for (const end of ends) end.destroy();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    cut();
    server.close();
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => void (isCut = false),
  };
}
