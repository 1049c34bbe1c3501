import { execFileSync } from 'node:child_process';
import { lacking } from '@platen/conformance';
import t from 'tap';
import { allowing } from './allow.js';
import { browserNames, browsers } from './browsers.js';
import { writers } from './formats.js';
import { pageOrigin } from './origin.js';

const origins = ['https://app.example', 'https://b.example:8443', 'https://b.example'].map(pageOrigin);
const patterns = ['https://app.example:443', 'https://b.example:8443', 'https://b.example:443'];
const hosts = ['app.example', 'b.example'];

/** Nothing that a host could hold, should a check be missing. */
const hostile = '<b>&"\\';

t.test('json: Chromium has names of policies at the top, Firefox below "policies"', async t => {
  for (const name of ['chrome', 'edge', 'chromium'] as const)
    t.same(JSON.parse(writers.json(browsers[name], allowing(browsers[name], origins))), {
      LoopbackNetworkAllowedForUrls: patterns,
    });
  t.same(JSON.parse(writers.json(browsers.firefox, allowing(browsers.firefox, origins))), {
    policies: { LocalNetworkAccess: { SkipDomains: hosts } },
  });
});

t.test('registry: a key for each list, with numbered texts and the line ends of Windows', async t => {
  const of = (name: (typeof browserNames)[number]): string[] =>
    writers.registry(browsers[name], allowing(browsers[name], origins)).split('\r\n');
  const key = String.raw`[HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Microsoft\Edge\LoopbackNetworkAllowedForUrls]`;
  const lines = of('edge');
  t.equal(lines[0], 'Windows Registry Editor Version 5.00');
  t.same(lines.slice(lines.indexOf(key)), [key, ...patterns.map((each, at) => `"${at + 1}"="${each}"`), '']);
  t.ok(of('chrome').includes(key.replace('Microsoft\\Edge', 'Google\\Chrome')));
  t.ok(
    of('firefox').includes(
      String.raw`[HKEY_LOCAL_MACHINE\SOFTWARE\Policies\Mozilla\Firefox\LocalNetworkAccess\SkipDomains]`,
    ),
  );
  for (const line of lines) t.match(line, /^[\x20-\x7e]*$/);
  t.ok(writers.registry(browsers.edge, { A: [hostile] }).includes(String.raw`"1"="<b>&\"\\"`));
});

/** The profile as Python's plist reader, which is not ours, sees it. */
const readProfile = (text: string): { PayloadContent: [Record<string, unknown>] } & Record<string, unknown> =>
  JSON.parse(
    execFileSync(
      'python3',
      ['-c', 'import json,plistlib,sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))'],
      {
        input: text,
        encoding: 'utf8',
      },
    ),
  ) as ReturnType<typeof readProfile>;

t.test(
  'profile: a plist whose payload is for the browser, the same for the same origins',
  { skip: lacking('python3') },
  async t => {
    const uuids = new Set<unknown>();
    for (const name of browserNames) {
      const browser = browsers[name];
      const text = writers.profile(browser, allowing(browser, origins));
      const { PayloadContent: payloads, ...profile } = readProfile(text);
      t.match(profile, { PayloadType: 'Configuration', PayloadScope: 'System', PayloadVersion: 1 });
      t.equal(payloads.length, 1);
      t.match(payloads[0], { PayloadType: browser.domain, PayloadVersion: 1 });
      t.match(
        payloads[0],
        name === 'firefox'
          ? { EnterprisePoliciesEnabled: true, LocalNetworkAccess: { SkipDomains: hosts } }
          : { LoopbackNetworkAllowedForUrls: patterns },
      );
      for (const uuid of [profile['PayloadUUID'], payloads[0]['PayloadUUID']]) {
        t.match(uuid, /^[\dA-F]{8}-[\dA-F]{4}-5[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}$/);
        uuids.add(uuid);
      }
      t.equal(writers.profile(browser, allowing(browser, origins)), text);
      const other = readProfile(writers.profile(browser, allowing(browser, origins.slice(1))));
      t.equal(other['PayloadIdentifier'], profile['PayloadIdentifier'], 'it replaces the first');
      t.not(other['PayloadUUID'], profile['PayloadUUID']);
    }
    t.equal(uuids.size, browserNames.length * 2);
    t.match(readProfile(writers.profile(browsers.chrome, { A: [hostile] })).PayloadContent[0], { A: [hostile] });
  },
);
