/** Consent in a browser: a page of another origin with the client module asks, and the person answers. */
import type { Test } from 'tap';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { personAt, startAsking, type Browser, type Foreigner } from './consentKit.js';

/** `came` has the links, and how many pages each loop gave. */
const html = ({ url }: Fixture): string => `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import { createClient } from '${url}/client.js';
  globalThis.asked = [];
  globalThis.pages = 0;
  globalThis.client = createClient({ onConsent: ({ link, origin, may }) => void asked.push({ link, origin, may }) });
  globalThis.plain = createClient();
  /** What became of a promise, when it did. */
  globalThis.settle = promise => {
    globalThis.outcome = undefined;
    promise.then(value => (outcome = { value }), ({ code, link, pages }) => (outcome = { code, link, pages: pages?.length }));
  };
  globalThis.count = async loop => { for await (const page of loop) pages++; };
  globalThis.scan = async name => {
    globalThis.current = await client.startScan(name, { resolution: 75 });
    await count(current.pages());
    return { state: current.state, pages };
  };
</script>`;

/** What `settle` of the page had. */
const settled = async ({ until: become, evaluate }: Foreigner): Promise<unknown> => {
  await become('outcome !== undefined');
  return evaluate('outcome');
};

/** @param t the file's */
export async function consentCases(t: Test, { name, open }: Browser): Promise<void> {
  const fixture = await startAsking(t);
  const person = personAt(fixture);
  const duplex = JSON.stringify(fixture.name('duplex'));
  const slow = JSON.stringify(fixture.name('slow'));

  /** The page, from an origin that nobody allowed or refused. */
  async function opened(t: Test): Promise<Foreigner | undefined> {
    const page = await open(t, html(fixture));
    if (!page) return undefined;
    await person.revoke(page.web);
    await page.until('globalThis.scan !== undefined');
    return page;
  }
  const linked = new RegExp(`^${fixture.url}/origins/#`);

  t.test(`${name}: ask, yes, scan; no paper moves before the yes`, async t => {
    const page = await opened(t);
    if (!page) return;
    await fixture.load('duplex', sheets(1, 2));
    await page.evaluate(
      `settle(scan(${duplex})), client.listScanners().then(({ length }) => (globalThis.listed = length)), 0`,
    );
    await page.until('asked.length > 0');
    t.equal(await fixture.waiting('duplex'), 2);
    await person.allow(page.web);
    t.match(await settled(page), { value: { state: 'completed', pages: 2 } });
    await page.until('globalThis.listed > 0');
    const asked = await page.evaluate<readonly unknown[]>('asked');
    t.match(asked, [{ link: linked, origin: page.web, may: ['scan'] }]);
    t.equal(asked.length, 1, 'once for both calls');
    await page.evaluate('current.done()');
    t.same(
      page.problems.filter(each => !/403/.test(each)),
      [],
    );
  });

  t.test(`${name}: ask, no; without onConsent, the error has the link`, async t => {
    const page = await opened(t);
    if (!page) return;
    await fixture.load('duplex', sheets(1));
    await page.evaluate(`settle(plain.startScan(${duplex})), 0`);
    t.match(await settled(page), { code: 'consent-required', link: linked });
    t.match(await page.evaluate('plain.diagnose()'), { findings: [{ problem: 'consent-required' }] });
    await page.evaluate(`settle(scan(${duplex})), 0`);
    await page.until('asked.length > 0');
    await person.refuse(page.web);
    t.match(await settled(page), { code: 'consent-refused', link: `${fixture.url}/origins/` });
    t.match(await page.evaluate('client.diagnose()'), { findings: [{ problem: 'consent-refused' }] });
    t.equal(await page.evaluate('asked.length'), 1);
    t.equal(await fixture.waiting('duplex'), 1, 'no paper moved');
  });

  t.test(`${name}: revoked while auto-scan's stream is open, the loop throws`, async t => {
    const page = await opened(t);
    if (!page) return;
    await person.allow(page.web);
    await fixture.load('duplex', []);
    await page.evaluate(`settle(count(client.autoScan(${duplex}, { resolution: 75 }))), 0`);
    await fixture.insert('duplex', sheets(1));
    await page.until('pages === 1');
    await person.revoke(page.web);
    t.match(await settled(page), { code: 'consent-ended', link: `${fixture.url}/origins/` });
    await fixture.insert('duplex', sheets(2));
    await page.evaluate(`settle(client.autoScan(${duplex}).next()), 0`);
    await page.until('asked.length === 1');
    t.match(await page.evaluate('asked'), [{ may: ['auto-scan'] }]);
    t.equal(await fixture.waiting('duplex'), 1, 'auto-scan is off');
    await person.refuse(page.web);
    t.match(await settled(page), { code: 'consent-refused' });
  });

  t.test(`${name}: revoked while a scan runs, it ends; its pages are there after another yes`, async t => {
    const page = await opened(t);
    if (!page) return;
    await person.allow(page.web);
    await fixture.load('slow', sheets(1, 2, 3, 4, 5, 6));
    await page.evaluate(`pages = 0, settle(scan(${slow})), 0`);
    await page.until('pages === 1');
    await person.revoke(page.web);
    t.match(await settled(page), { code: 'consent-required', link: linked });
    await page.evaluate(`settle(client.listScans().then(([{ state, pageCount }]) => ({ state, pageCount }))), 0`);
    await page.until('asked.length === 1');
    await person.allow(page.web);
    t.match(await settled(page), { value: { state: 'cancelled', pageCount: Number } });
    t.ok((await fixture.waiting('slow')) > 0, 'sheets stay in the feeder');
    await page.evaluate('settle(count(current.pages())), 0');
    t.match(await settled(page), { code: 'cancelled', pages: await page.evaluate('current.pageCount') });
    await page.evaluate('current.done()');
  });
}
