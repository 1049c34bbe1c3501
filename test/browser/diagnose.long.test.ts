/** diagnose() in Chromium: each problem caused for real, for a page of another origin with the packaged module. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Diagnosis } from '@platen/client';
import { needs } from '@platen/conformance';
import t, { type Test } from 'tap';
import { closedUrl, relayTo } from '../client/relay.js';
import { start } from '../spec/specTest.js';
import { desktopTopology } from '../topology/desktopTopology.js';
import { virtualTopology } from '../topology/virtualTopology.js';
import { openPage, pageFile, type Foreign } from './foreignPage.js';

declare const module: { diagnose(): Promise<Diagnosis> };
declare const window: { readonly ready?: boolean };

async function diagnosed(t: Test, service: string, foreign: Partial<Foreign> = {}): Promise<Diagnosis> {
  const { page } = await openPage(t, {
    html: await pageFile('clientModule.html'),
    query: () => `?service=${encodeURIComponent(service)}`,
    ...foreign,
  });
  await page.waitForFunction(() => window.ready);
  return page.evaluate(() => module.diagnose());
}

/** Another program on the port. @param open whether every page may read its answers */
async function program(t: Test, open: boolean): Promise<string> {
  const server = createServer(({ headers: { origin = '*' } }, response) => {
    response
      .writeHead(200, open ? { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' } : {})
      .end('hello');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fixture = await start(t, virtualTopology);
const closed = await closedUrl();

t.test('diagnose: no problem, no findings', async t => {
  if (!needs(t, 'chromium')) return;
  t.same(await diagnosed(t, fixture.url), { ok: true, findings: [] });
});

t.test('diagnose: no listener, or an untrusted certificate, one finding for both', async t => {
  if (!needs(t, 'chromium')) return;
  const problem = ['not-installed', 'not-running', 'certificate-not-trusted'];
  const nobody = await diagnosed(t, closed, { trusting: true });
  t.match(nobody, {
    ok: false,
    findings: [
      {
        problem,
        sentence: /not installed, not running, or its certificate is not trusted/,
        remedy: /^Open https:\/\/localhost:\d+\/ in a new tab.*platen cert install.*start the service/,
      },
    ],
  });
  t.equal(nobody.findings.length, 1);
  t.match(await diagnosed(t, fixture.url, { trusting: false }), { ok: false, findings: [{ problem }] });
});

t.test('diagnose: the browser may have asked without an answer, the finding includes permission-denied', async t => {
  if (!needs(t, 'chromium')) return;
  // For a page of this computer the browser does not ask: the permission stays `prompt`, as after a dismissed question.
  const { page } = await openPage(t, { html: '' });
  await page.goto(await program(t, false));
  const found = (await page.evaluate(
    `import('${fixture.url}/client.js').then(it => it.createClient({ baseUrl: '${closed}' }).diagnose())`,
  )) as Diagnosis;
  t.match(found, {
    findings: [
      {
        problem: ['not-installed', 'not-running', 'certificate-not-trusted', 'permission-denied'],
        remedy: /allow it to reach this computer/,
      },
    ],
  });
});

t.test('diagnose: the browser denies it, permission-denied or insecure-page', async t => {
  if (!needs(t, 'chromium')) return;
  t.match(await diagnosed(t, fixture.url, { granted: false }), {
    ok: false,
    findings: [{ problem: 'permission-denied', remedy: /Apps on device.*then reload/ }],
  });
  t.match(await diagnosed(t, fixture.url, { granted: false, insecure: true }), {
    ok: false,
    findings: [{ problem: 'insecure-page', remedy: 'Serve the page over HTTPS.' }],
  });
});

t.test("diagnose: the page's own policy forbids it, content-security-policy", async t => {
  if (!needs(t, 'chromium')) return;
  const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; img-src data:";
  t.match(await diagnosed(t, fixture.url, { headers: { 'content-security-policy': policy } }), {
    findings: [
      {
        problem: 'content-security-policy',
        remedy: `Add ${fixture.url} to connect-src of the page's Content-Security-Policy (and to script-src if the module is imported from there).`,
      },
    ],
  });
  const reported = await diagnosed(t, closed, { headers: { 'content-security-policy-report-only': policy } });
  t.match(
    reported,
    { findings: [{ problem: ['not-installed', 'not-running', 'certificate-not-trusted'] }] },
    'a report-only policy forbids nothing',
  );
});

t.test('diagnose: origin not listed, or another program on the port, origin-refused and other-program', async t => {
  if (!needs(t, 'chromium')) return;
  const strict = await start(t, virtualTopology, {
    config: { security: { origins: ['https://elsewhere.example'] } },
  });
  const either = {
    findings: [{ problem: ['origin-refused', 'other-program'], remedy: /security\.origins.*platen doctor/ }],
  };
  t.match(await diagnosed(t, strict.url), either);
  t.match(await diagnosed(t, await program(t, false)), either);
  t.match(await diagnosed(t, await program(t, true)), {
    findings: [{ problem: 'other-program', remedy: /platen doctor/ }],
  });
});

t.test('diagnose: a service that takes the request and never answers, not-responding', async t => {
  if (!needs(t, 'chromium')) return;
  const relay = await relayTo(t, fixture);
  t.teardown(relay.hold());
  t.match(await diagnosed(t, relay.url), { ok: false, findings: [{ problem: 'not-responding' }] });
});

t.test('diagnose: an old service, wrong-version', async t => {
  if (!needs(t, 'chromium')) return;
  const { url } = await relayTo(t, fixture, '/api/twain/version');
  const { ok, findings } = await diagnosed(t, url);
  t.equal(ok, false);
  t.match(findings, [{ problem: 'unknown-path', remedy: 'Update the scanning service on this computer.' }]);
  t.equal(findings.length, 1);
});

t.test('diagnose: desktop application disconnected, no scanner, none online', async t => {
  if (!needs(t, 'chromium')) return;
  const scanners = [{ name: 'Feeder A', tray: 'trays/unplugged' }];
  const [desk, bare, off] = await Promise.all([
    start(t, desktopTopology, { desktopAway: true }),
    start(t, virtualTopology, { config: { plugins: [{ use: '@platen/format-png' }] } }),
    start(t, virtualTopology, {
      config: { plugins: [{ use: '@platen/driver-virtual', options: { scanners } }, { use: '@platen/format-png' }] },
    }),
  ]);
  t.match(await diagnosed(t, desk.url), { findings: [{ problem: 'not-connected', remedy: /platen host/ }] });
  t.match(await diagnosed(t, bare.url), { findings: [{ problem: 'no-scanner', remedy: /install its driver/ }] });
  t.match(await diagnosed(t, off.url), {
    findings: [{ problem: 'device-offline', sentence: 'No scanner is online: Feeder A.' }],
  });
});
