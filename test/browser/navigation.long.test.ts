/** Requests without CORS: a foreign page in Chromium, the service lists no origin; no paper moves and no page is lost. */
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { until } from '../spec/calls.js';
import { disable, enable, listen, eventLines } from '../spec/autoscanCalls.js';
import { start } from '../spec/specTest.js';
import { sheets } from '../topology/sheets.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openPage } from './foreignPage.js';

/** Source text, because it runs in the page. `url` is the event stream's address. */
const reads: Readonly<Record<string, string>> = {
  iframe: `document.body.append(Object.assign(document.createElement('iframe'), { src: url }))`,
  'sandboxed iframe': `document.body.append(Object.assign(document.createElement('iframe'), { src: url, sandbox: '' }))`,
  object: `document.body.append(Object.assign(document.createElement('object'), { data: url }))`,
  embed: `document.body.append(Object.assign(document.createElement('embed'), { src: url }))`,
  picture: `document.body.append(Object.assign(new Image(), { src: url }))`,
  script: `document.body.append(Object.assign(document.createElement('script'), { src: url }))`,
  'fetch no-cors': `void fetch(url, { mode: 'no-cors' })`,
  'window.open': `window.open(url)`,
  download: `Object.assign(document.createElement('a'), { href: url, download: 'x' }).click()`,
  'form GET _blank': `form('GET', '_blank')`,
  'form GET _self': `form('GET', '_self')`,
  location: `location = url`,
};
const moves: Readonly<Record<string, string>> = {
  'form POST text/plain': `form('POST', '_blank', 'text/plain')`,
  'form POST urlencoded': `form('POST', '_blank', 'application/x-www-form-urlencoded')`,
  'form POST multipart': `form('POST', '_blank', 'multipart/form-data')`,
  'fetch no-cors': `void fetch(url, { method: 'POST', mode: 'no-cors' })`,
  sendBeacon: `navigator.sendBeacon(url)`,
};

/** Runs it in a page; the service's answers to requests for this path since then. */
async function attack(t: Test, url: string, what: string, local: boolean): Promise<void> {
  const script = `const url = ${JSON.stringify(url)};
    const form = (method, target, enctype = '') => {
      const made = Object.assign(document.createElement('form'), { action: url, method, target, enctype });
      document.body.append(made);
      made.submit();
    };
    setTimeout(() => { ${what} }, 0);`;
  await openPage(t, { html: `<!doctype html><body><script>${script}</script>`, local, granted: false });
}

const fixture = await start(t, virtualTopology, { config: { log: { level: 'debug' } } });
const events = '/api/twain/autoscan/events';

/** All answers so far to requests for this path. */
const answers = (path: string): string[] =>
  [...fixture.log().matchAll(new RegExp(`(?:GET|POST) ${path} (\\d+)`, 'g'))].map(([, status = '']) => status);

for (const local of [true, false]) {
  const from = local ? 'a page of this computer' : 'a page of the public network without permission';

  t.test(
    `event stream by navigation or without CORS, from ${from}: every page is still there for an allowed reader`,
    async t => {
      if (!needs(t, 'chromium')) return;
      await fixture.load('duplex', []);
      await enable(t, fixture, 'duplex');
      await fixture.insert('duplex', sheets(1, 2, 3));
      await until(async () => (await fixture.waiting('duplex')) === 0);
      for (const [name, what] of Object.entries(reads)) {
        await t.test(name, async t => {
          const before = answers(events).length;
          await attack(t, `${fixture.url}${events}`, what, local);
          // From a public page, Chromium itself allows only top-level navigations.
          if (local || /window|download|form|location/.test(name))
            await until(async () => answers(events).length > before);
          t.same(
            answers(events)
              .slice(before)
              .filter(status => status !== '403'),
            [],
          );
        });
      }
      const stream = await listen(t, fixture);
      t.same(await eventLines(await stream.come(3)), ['1: 1', '2: 2', '3: 3']);
    },
  );

  t.test(`auto-scan and cancel, by a form or without CORS, from ${from}: no paper moves`, async t => {
    if (!needs(t, 'chromium')) return;
    await fixture.load('duplex', sheets(1, 2));
    await fixture.request('POST', '/api/twain', {
      body: { kind: 'twainlocalscanner', method: 'openSource', params: { sourceName: fixture.name('duplex') } },
    });
    t.teardown(() => disable(fixture));
    for (const path of ['/api/twain/autoscan/enable', '/api/twain/cancel']) {
      for (const [name, what] of Object.entries(moves)) {
        const before = answers(path).length;
        await attack(t, `${fixture.url}${path}`, what, local);
        if (local || /form/.test(name)) await until(async () => answers(path).length > before);
        t.same(
          answers(path)
            .slice(before)
            .filter(status => status !== '403'),
          [],
          `${name} to ${path}`,
        );
      }
    }
    t.equal(await fixture.waiting('duplex'), 2);
  });
}
