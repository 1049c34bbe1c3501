/** The existing client's flow where pages must ask: a clear 403 before the yes, and everything after it. */
import t from 'tap';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { inChromium, inFirefox, personAt, startAsking, type Foreigner } from './consentKit.js';
import { pageFile } from './foreignPage.js';

/** Its page takes the service's address from its own. */
const html = async ({ url }: Fixture): Promise<string> =>
  (await pageFile('existingClient.html')).replace(/const service = .*/, `const service = '${url}';`);

/** The flow of its documentation: list, open, scan, close. @returns the pages that it shows */
async function flow(page: Foreigner, fixture: Fixture): Promise<unknown> {
  await fixture.load('duplex', sheets(1, 2));
  const name = JSON.stringify(fixture.name('duplex'));
  return page.evaluate(`client.sources()
    .then(names => names.includes(${name}) && client.open(${name}))
    .then(() => client.scan({ resolution: 75, colorMode: 'Color', pageSize: 'Letter', outputFormat: 'jpeg' }))
    .then(async ({ images }) => { await client.close(); return images.map(({ fits }) => fits); })`);
}

const asking = await startAsking(t);
const open = await start(t, virtualTopology);

for (const browser of [inChromium, inFirefox]) {
  t.test(
    `existing client in ${browser.name}, ask: 403 with a sentence and a link; after one yes, it scans`,
    async t => {
      const page = await browser.open(t, await html(asking));
      if (!page) return;
      const person = personAt(asking);
      await person.revoke(page.web);
      await asking.load('duplex', sheets(1));
      for (const [method, path, body] of [
        ['GET', '/api/twain/version'],
        ['GET', '/api/twain/autoscan/events'],
        ['POST', '/api/twain/autoscan/enable', '{}'],
        ['POST', '/api/twain', JSON.stringify({ kind: 'twainlocalscanner', method: 'scan', params: null })],
      ] as const) {
        const answer = await page.evaluate<{ error: string; header: string; status: number }>(
          `fetch('${asking.url}${path}', { method: '${method}', credentials: 'include', ${
            body === undefined ? '' : `body: ${JSON.stringify(body)}, headers: { 'Content-Type': 'application/json' }`
          } }).then(async response => ({ ...(await response.json()), status: response.status, header: response.headers.get('platen-error') }))`,
        );
        const { code, link } = JSON.parse(answer.header) as { code: string; link: string };
        t.match({ ...answer, code }, { status: 403, success: false, code: 'consent-required' }, `${method} ${path}`);
        t.ok(answer.error.includes(link), 'its sentence has the link');
        t.match(link, new RegExp(`^${asking.url}/origins/#`));
      }
      await t.rejects(page.evaluate('client.sources()'));
      t.equal(await asking.waiting('duplex'), 1, 'no paper moved');
      await person.allow(page.web, ['scan']);
      t.same(await flow(page, asking), [true, true]);
    },
  );

  t.test(`existing client in ${browser.name}, open: it scans as before`, async t => {
    const page = await browser.open(t, await html(open));
    if (!page) return;
    t.same(await flow(page, open), [true, true]);
    t.same(page.problems, []);
  });
}
