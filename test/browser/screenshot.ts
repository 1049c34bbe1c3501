/** Makes the README's picture: `node test/dist/browser/screenshot.js`, while `npm start` runs. */
import sharp from 'sharp';
import { launchChromium } from './chromium.js';
import { untilPages } from './appPage.js';

const [url = 'https://localhost:53052', file = 'docs/images/page.webp'] = process.argv.slice(2);
const browser = await launchChromium();
const context = await browser.newContext({
  ignoreHTTPSErrors: true,
  viewport: { width: 1280, height: 860 },
  reducedMotion: 'reduce',
  colorScheme: 'light',
});
const page = await context.newPage();
await page.goto(`${url}/app/`);
await page.getByRole('radio', { name: 'Feeder A' }).check();
for (const label of ['Read barcodes', 'Read text']) await page.getByLabel(label).check();
await page.locator('button#scan').click();
await untilPages(page, 3);
await page.locator('button#scan:enabled').waitFor({ timeout: 60_000 });
await page.locator('.thumb').last().click();
await page.getByRole('button', { name: 'Close this message' }).click();
await page.locator('#choices').evaluateAll(all => all.forEach(each => (each.scrollTop = 0)));
await page.evaluate('scrollTo(0, 0)');
await page.waitForTimeout(500);
await sharp(await page.screenshot())
  .webp({ quality: 82 })
  .toFile(file);
await browser.close();
