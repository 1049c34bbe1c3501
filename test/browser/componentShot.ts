/** Makes the guide's picture of the component: `node test/dist/browser/componentShot.js`, while `npm start` runs. */
import { openForeignSite } from './foreignSite.js';
import sharp from 'sharp';
import { launchChromium } from './chromium.js';
import { formOf, handsIn, headOf, untilScanned } from './componentKit.js';

const [
  url = 'https://localhost:53052',
  file = 'docs/images/component.webp',
  width = '1000',
  scheme = 'light',
  lang = 'en',
] = process.argv.slice(2);
const html = `${headOf({ url })}<meta name="viewport" content="width=device-width"><style>
    :root { color-scheme: light dark; --ink: light-dark(#2b2118, #f1e9df); }
    body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 1.0625rem/1.5 Georgia, 'Liberation Serif', serif; color: var(--ink); background: light-dark(#fbf7f0, #1d1814); }
    h1 { font-size: 1.6rem; margin: 0 0 1rem; }
    platen-scan { --platen-accent: light-dark(#8a2f1d, #f0a48f); --platen-radius: 4px; }
    #send { font: inherit; margin-block-start: 1rem; padding: 0.5rem 1.25rem; }
  </style><h1>Claim 4711: your receipts</h1>${formOf(`<platen-scan name="receipts" lang="${lang}"></platen-scan>`)}`;
const site = await openForeignSite();
const browser = await launchChromium();
const context = await browser.newContext({
  ignoreHTTPSErrors: true,
  viewport: { width: Number(width), height: 900 },
  reducedMotion: 'reduce',
  colorScheme: scheme === 'dark' ? 'dark' : 'light',
});
const page = await context.newPage();
await page.goto(`http://127.0.0.1:${site.ports[0]}${site.add({ html })}`);
await page.getByRole('radio', { name: 'Feeder A' }).check();
await page.locator('#scan:enabled').click();
await untilScanned(handsIn(page), 3);
await page.locator('.thumb').nth(1).click();
await page.locator('#notes .notice > .square').click();
await page.locator('#choices').evaluateAll(all => all.forEach(each => (each.scrollTop = 0)));
await page.evaluate('scrollTo(0, 0)');
await page.waitForTimeout(800);
await sharp(await page.screenshot({ fullPage: Number(width) < 500 }))
  .webp({ quality: 82 })
  .toFile(file);
await browser.close();
site.close();
