/**
 * The files that `platen policy` prints, where it says that they belong, in the browsers: a page of a listed origin
 * reaches the service without a question, a page of another one does not.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needs } from '@platen/conformance';
import { launch } from 'puppeteer-core';
import t, { type Test } from 'tap';
import { start } from '../spec/specTest.js';
import { platen } from '../topology/platen.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { CHROMIUM, launchChromiumAt, PATIENCE_MS } from './chromium.js';
import { FIREFOX } from './firefox.js';
import { needsPrivateEtc, withEtc } from './privateEtc.js';

/** The page's own. */
declare const navigator: {
  readonly permissions: { query(permission: { readonly name: string }): Promise<{ readonly state: string }> };
};

const fixture = await start(t, virtualTopology);

/** A web server of public pages over HTTPS; each browser is told that its address is public. */
const [key, cert] = await Promise.all(
  ['key.pem', 'cert.pem'].map(name => readFile(join(fixture.dataDir, 'certificate', name))),
);
const web = createServer({ key, cert }, (_, response) =>
  response.writeHead(200, { 'content-type': 'text/html' }).end('<link rel="icon" href="data:,">'),
);
await once(web.listen(0, '127.0.0.1'), 'listening');
t.teardown(() => {
  web.closeAllConnections();
  web.close();
});
const { port } = web.address() as AddressInfo;

/** What the printed policies allow: the usual port of one host. */
const allowed = 'https://app.example';

/** Runs in the page. @returns the permission before the call, and whether the service answered */
async function call(service: string): Promise<string> {
  const { state } = await navigator.permissions.query({ name: 'loopback-network' });
  const answer = await fetch(service).then(
    response => response.json() as Promise<{ service?: string }>,
    () => undefined,
  );
  return `${state}, ${answer?.service === undefined ? 'no answer' : 'answered'}`;
}

/** @returns the printed files, by the places that the output names */
async function printed(...args: string[]): Promise<Record<string, string>> {
  const { code, out, log } = await platen(['policy', ...args]).ended;
  if (code !== 0) throw new Error(log);
  const parts = out.split(/^# /m).slice(1);
  return Object.fromEntries(
    parts.map(part => {
      const [head = '', ...lines] = part.split('\n');
      return [/\/\S+/.exec(head)?.[0] ?? '', lines.join('\n')];
    }),
  );
}

/** What pages of these origins meet in a Chromium with these files in /etc. */
async function inChromium(
  t: Test,
  files: Readonly<Record<string, string>>,
  pages: readonly string[],
): Promise<Record<string, string>> {
  const browser = await launchChromiumAt(
    await withEtc(t, CHROMIUM, files),
    `--ip-address-space-overrides=127.0.0.1:${port}=public`,
    `--host-resolver-rules=MAP *.example 127.0.0.1:${port}`,
  );
  t.teardown(() => browser.close());
  const found: Record<string, string> = {};
  for (const origin of pages) {
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${origin}/`);
    found[origin] = await page.evaluate(call, `${fixture.url}/`);
  }
  await browser.close();
  return found;
}

const pages = [allowed, 'https://app.example:8443', 'https://sub.app.example', 'https://other.example'];
const asks = 'prompt, no answer';

t.test('policy: Chromium asks for every page without one, and not for exactly the listed origin with one', async t => {
  if (!needs(t, 'chromium') || !needsPrivateEtc(t)) return;
  t.same(await inChromium(t, {}, [allowed]), { [allowed]: asks });
  const [, own, sub, other] = pages;
  t.same(await inChromium(t, await printed('--origin', allowed), pages), {
    [allowed]: 'granted, answered',
    [own ?? '']: asks,
    [sub ?? '']: asks,
    [other ?? '']: asks,
  });
});

t.test('policy: Chromium, one file alone in a folder that blocks every page', async t => {
  if (!needs(t, 'chromium') || !needsPrivateEtc(t)) return;
  const { out } = await platen(['policy', '--origin', 'https://app.example:8443', '--browser', 'chromium']).ended;
  const files = {
    '/etc/chromium/policies/managed/platen.json': out,
    '/etc/chromium/policies/managed/strict.json': '{ "LoopbackNetworkBlockedForUrls": ["*"] }',
  };
  t.same(await inChromium(t, files, [allowed, 'https://app.example:8443']), {
    [allowed]: 'denied, no answer',
    'https://app.example:8443': 'granted, answered',
  });
});

t.test("policy: Firefox trusts the service's certificate for every account, as docs/certificates.md says", async t => {
  if (!needs(t, FIREFOX) || !needsPrivateEtc(t)) return;
  const guide = await readFile(fileURLToPath(new URL('../../../docs/certificates.md', import.meta.url)), 'utf8');
  const block = /```json\n([^`]*"Certificates"[^`]*)```/.exec(guide)?.[1] ?? '';
  t.match(block, '"FILE"');
  const installed = block.replace('FILE', join(fixture.dataDir, 'certificate', 'cert.pem'));
  const answers: string[] = [];
  for (const policies of ['{ "policies": {} }', installed]) {
    const files = { '/etc/firefox/policies/policies.json': policies };
    const executablePath = await withEtc(t, `/usr/bin/${FIREFOX}`, files);
    const browser = await launch({ browser: 'firefox', executablePath, headless: true });
    t.teardown(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    answers.push(
      await page.goto(`${fixture.url}/`).then(
        answer => `${answer?.status()}`,
        () => 'refused',
      ),
    );
    await browser.close();
  }
  t.same(answers, ['refused', '200']);
});

/** What pages of these hosts meet in a Firefox with these files in /etc; a question is dismissed at once. */
async function inFirefox(
  t: Test,
  files: Readonly<Record<string, string>>,
  hosts: readonly string[],
): Promise<Record<string, string>> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: await withEtc(t, `/usr/bin/${FIREFOX}`, files),
    headless: true,
    acceptInsecureCerts: true,
    extraPrefsFirefox: {
      'network.lna.address_space.public.override': `127.0.0.1:${port}`,
      'network.lna.prompt.timeout': 1,
      'network.dns.localDomains': hosts.join(','),
    },
  });
  t.teardown(() => browser.close());
  const found: Record<string, string> = {};
  for (const host of hosts) {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`https://${host}:${port}/`);
    found[host] = await page.evaluate(call, `${fixture.url}/`);
  }
  await browser.close();
  return found;
}

t.test('policy: Firefox asks for every page without one, and not for those of the listed host with one', async t => {
  if (!needs(t, FIREFOX) || !needsPrivateEtc(t)) return;
  const hosts = ['app.example', 'sub.app.example', 'other.example'];
  t.same(await inFirefox(t, {}, hosts.slice(0, 1)), { 'app.example': asks });
  t.same(await inFirefox(t, await printed('--origin', allowed), hosts), {
    'app.example': 'prompt, answered',
    'sub.app.example': asks,
    'other.example': asks,
  });
});
