/** Where local programs need a token: a page's pass, in Chromium and Firefox. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { sheets } from '../topology/sheets.js';
import { headOf, isDrawn, SCAN, SMALL, untilScanned } from './componentKit.js';
import { inChromium, inFirefox, personAt, startAsking } from './consentKit.js';

const fixture = await startAsking(t, { localPrograms: 'token' });
const token = (await readFile(join(fixture.dataDir, 'local.token'), 'utf8')).trim();
const person = personAt(fixture, token);
const inside = (css: string): string => `${SCAN}.shadowRoot?.querySelector('${css}')`;

for (const { name, open } of [inChromium, inFirefox]) {
  t.test(`${name}: the pass is kept and sent, also for pictures; nobody without it uses the grant`, async t => {
    const element = `<platen-scan scanner="${fixture.name('duplex')}" ${SMALL}></platen-scan>`;
    const page = await open(t, `${headOf(fixture)}${element}`);
    if (!page) return;
    await page.until(`Boolean(${inside('#answer')})`);
    t.equal(await person.questionsOf(page.web), 1);
    const pass = await page.evaluate<string>(`localStorage.getItem('platen.pass:${fixture.url}')`);
    t.match(pass, /^[\w-]{20,}$/);
    const question = await page.evaluate<string>(`${inside('#answer')}.href.split('#')[1]`);
    await person.answer({ id: question, origin: page.web, may: ['scan'] });
    await page.until(`Boolean(${inside('#scan:enabled')})`);
    await fixture.load('duplex', sheets(1, 2));
    await page.hands.click('#scan:enabled');
    await untilScanned(page.hands, 2);
    await page.until(
      `[...${SCAN}.shadowRoot.querySelectorAll('img')].filter(each => each.naturalWidth > 0).length === 2`,
    );
    await page.until(`(${isDrawn.toString()})(${inside('#paper canvas')})`);
    const status = (headers: string): Promise<number> =>
      page.evaluate(`fetch('${fixture.url}/api/twain/scanners', { headers: ${headers} }).then(({ status }) => status)`);
    t.equal(await status('{}'), 403, 'the origin alone');
    t.equal(await status(`{ authorization: 'Bearer ${pass}' }`), 200);
    await page.evaluate(`${SCAN}.reset()`);
  });
}
