import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import type { PolicySurroundings } from '../../machine/policies/source.js';
import type { Facts } from './facts.js';
import type { Outcome } from './finding.js';
import { policies } from './policies.js';

interface Given extends Partial<Omit<PolicySurroundings, 'root'>> {
  /** By absolute path; text is written as it is. */
  readonly files?: Readonly<Record<string, object | string>>;
}

/** What the doctor says of a computer; its paths without the folder that stands for `/`. */
async function look(t: Test, { files = {}, ...given }: Given): Promise<Outcome> {
  const root = await mkdtemp(join(tmpdir(), 'platen-policies-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const browsers = { platform: 'linux', env: {}, run: async () => undefined, ...given, root } as const;
  const { remedy, ...outcome } = await policies({ browsers } as unknown as Facts);
  const plain = (text: string): string => text.replaceAll(root, '');
  return { ...outcome, sentence: plain(outcome.sentence), ...(remedy === undefined ? {} : { remedy: plain(remedy) }) };
}

const ALLOWED = 'LoopbackNetworkAllowedForUrls';
const BLOCKED = 'LoopbackNetworkBlockedForUrls';
const chromium = (name: string, kind = 'managed'): string => `/etc/chromium/policies/${kind}/${name}`;

t.test('policies: none, and a computer without browsers', async t => {
  t.match(await look(t, {}), { state: 'ok', sentence: /^none, .*platen policy/, remedy: undefined });
  const others = { files: { [chromium('home.json')]: { HomepageLocation: 'https://app.example' } } };
  t.match(await look(t, others), { state: 'ok', sentence: /^none/, remedy: undefined });
});

t.test('policies: Linux, each browser with its file, its policy and the pages', async t => {
  const { state, sentence, remedy } = await look(t, {
    files: {
      '/etc/opt/chrome/policies/managed/platen.json': { [ALLOWED]: ['https://app.example:443', 'https://b.example'] },
      '/etc/opt/edge/policies/managed/platen.json': { LocalNetworkAccessBlockedForUrls: ['https://c.example'] },
      [chromium('a.json')]: { [ALLOWED]: ['*'] },
      [chromium('b.json', 'recommended')]: { LocalNetworkAccessRestrictionsTemporaryOptOut: true },
      '/etc/firefox/policies/policies.json': { policies: { LocalNetworkAccess: { SkipDomains: ['app.example'] } } },
      '/usr/lib/firefox-esr/distribution/policies.json': '{',
    },
  });
  t.equal(state, 'ok');
  t.same(sentence.split('. '), [
    `Chrome allows https://app.example:443, https://b.example (${ALLOWED} in /etc/opt/chrome/policies/managed/platen.json)`,
    'Edge blocks https://c.example (LocalNetworkAccessBlockedForUrls in /etc/opt/edge/policies/managed/platen.json)',
    'Chromium lets every page reach this computer (LocalNetworkAccessRestrictionsTemporaryOptOut in /etc/chromium/policies/recommended/b.json)',
    `Chromium allows every page (${ALLOWED} in /etc/chromium/policies/managed/a.json)`,
    'Firefox allows app.example (LocalNetworkAccess.SkipDomains in /etc/firefox/policies/policies.json)',
  ]);
  t.equal(remedy, undefined, 'Firefox reads the file of the system only');
});

t.test("policies: Chromium's folder on Ubuntu is that of another program", async t => {
  const { sentence, remedy } = await look(t, {
    files: {
      '/etc/chromium-browser/policies/managed/a.json': { [ALLOWED]: ['https://a.example'] },
      [chromium('b.json')]: { [ALLOWED]: ['https://b.example'] },
    },
  });
  t.match(sentence, /b\.example .*\. Chromium allows https:\/\/a\.example \(.*chromium-browser/);
  t.equal(remedy, undefined);
});

t.test('policies: Chromium blocks everything, advice, and no failure', async t => {
  const outcome = await look(t, {
    files: { [chromium('a.json')]: { [BLOCKED]: ['*'], [ALLOWED]: ['https://a.example'] } },
  });
  t.match(outcome, { state: 'ok', sentence: /Chromium blocks every page/, remedy: /^Chromium blocks .*platen policy/ });
  t.match(await look(t, { files: { [chromium('a.json')]: { [BLOCKED]: ['https://a.example'] } } }), {
    remedy: undefined,
  });
});

t.test('policies: several files of Chromium, the last by name counts and the other is named', async t => {
  const outcome = await look(t, {
    files: {
      [chromium('20.json')]: { [ALLOWED]: ['https://late.example'] },
      [chromium('10.json')]: { [ALLOWED]: ['https://early.example'], [BLOCKED]: ['https://c.example'] },
      [chromium('99.json', 'recommended')]: { [BLOCKED]: ['https://d.example'] },
    },
  });
  t.match(outcome.sentence, /late\.example \(.*20\.json\)/);
  t.match(outcome.sentence, /c\.example \(.*managed\/10\.json\)/);
  t.notMatch(outcome.sentence, /early|d\.example/);
  t.match(outcome.remedy?.split('\n'), [
    /recommended\/99\.json, because .*managed\/10\.json/,
    /managed\/10\.json, because .*managed\/20\.json/,
  ]);
});

t.test('policies: Chromium takes comments, commas at the end and a byte order mark', async t => {
  const text = `\ufeff// ours, "quoted"\n{ /* all\n */ "${ALLOWED}": ["https://a.example", "https://b.example/*,]"], }`;
  const { sentence, remedy } = await look(t, { files: { [chromium('policy')]: text } });
  t.match(sentence, `Chromium allows https://a.example, https://b.example/*,] (${ALLOWED}`);
  t.equal(remedy, undefined);
});

t.test('policies: damaged files and values, named, and no failure', async t => {
  const { state, sentence, remedy } = await look(t, {
    files: {
      [chromium('broken.json')]: `{ "${ALLOWED}": [`,
      [chromium('list.json')]: '[]',
      [chromium('text.json')]: { [ALLOWED]: 'https://a.example', [BLOCKED]: [1] },
      [chromium('whole.json')]: { LocalNetworkAccessAllowedForUrls: ['https://a.example'] },
      '/usr/lib/firefox/distribution/policies.json': '// {}',
      '/usr/lib/firefox-esr/distribution/policies.json': { LocalNetworkAccess: {} },
    },
  });
  t.equal(state, 'ok');
  t.match(sentence, /^Chromium allows https:\/\/a\.example/);
  t.match(remedy?.split('\n'), [
    /^Chromium cannot use \/etc\/chromium\/policies\/managed\/broken\.json: .*line 1/,
    /list\.json: it holds no policies/,
    new RegExp(`^Chromium ignores ${BLOCKED} in `),
    new RegExp(`^Chromium ignores ${ALLOWED} in .*text\\.json`),
    /^Firefox cannot use \/usr\/lib\/firefox-esr\/distribution\/policies\.json: it holds no policies/,
    /^Firefox cannot use \/usr\/lib\/firefox\/distribution\/policies\.json: .*line 1/,
  ]);
});

t.test("policies: Firefox's ways to let every page in", async t => {
  const sentenceOf = async (LocalNetworkAccess: object): Promise<string> =>
    (await look(t, { files: { '/etc/firefox/policies/policies.json': { policies: { LocalNetworkAccess } } } }))
      .sentence;
  t.match(await sentenceOf({ Enabled: false, SkipDomains: ['a.example'] }), /every page .*LocalNetworkAccess\.Enabled/);
  t.match(await sentenceOf({ Enabled: true, EnablePrompting: false }), /every page .*EnablePrompting/);
  t.match(await sentenceOf({ SkipDomains: ['a.example', 'localhost'] }), /Firefox allows every page/);
  t.match(await sentenceOf({ SkipDomains: ['127.0.0.1'] }), /Firefox allows every page/);
  t.match(await sentenceOf({ Enabled: true }), /^none/);
});

const skip = process.platform === 'win32' && 'links need rights on Windows';
t.test('policies: control characters and a file that cannot be read', { skip }, async t => {
  const root = await mkdtemp(join(tmpdir(), 'platen-policies-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, '/etc/chromium/policies/managed');
  await mkdir(join(folder, 'folder.json'), { recursive: true });
  await symlink('loop.json', join(folder, 'loop.json'));
  await writeFile(join(folder, 'a\u001b\n.json'), '{');
  const browsers: PolicySurroundings = { platform: 'linux', env: {}, run: async () => undefined, root };
  const { remedy } = await policies({ browsers } as unknown as Facts);
  t.match(remedy?.split('\n'), [/a\\u001b\\u000a\.json: /, /loop\.json: .*ELOOP/]);
});

t.test('policies: Windows, the registry of the computer and of the person, and the file of Firefox', async t => {
  const asked: string[] = [];
  const keys: Readonly<Record<string, string>> = {
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome': `
HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome
    HomepageLocation    REG_SZ    https://home.example/a    b
    LocalNetworkAccessRestrictionsTemporaryOptOut    REG_DWORD    0x1

HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome\\${ALLOWED}
    1    REG_SZ    https://app.example:443
    2    REG_SZ    https://b.example:443
`,
    'HKEY_CURRENT_USER\\SOFTWARE\\Policies\\Google\\Chrome': `
HKEY_CURRENT_USER\\Software\\Policies\\Google\\Chrome\\${ALLOWED}
    1    REG_SZ    https://own.example
`,
    'HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox': `
HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox\\LocalNetworkAccess
    Locked    REG_DWORD    0x0

HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox\\LocalNetworkAccess\\SkipDomains
    1    REG_SZ    app.example
`,
  };
  const { sentence, remedy } = await look(t, {
    platform: 'win32',
    env: { SystemRoot: 'D:\\Windows' },
    async run(program, [verb, key = '', ...rest]) {
      asked.push([program, verb, ...rest].join(' '));
      const said = keys[key];
      return said === undefined ? { code: 1, said: 'ERROR' } : { code: 0, said: said.replaceAll('\n', '\r\n').trim() };
    },
  });
  t.same(new Set(asked), new Set(['D:\\Windows\\System32\\reg.exe query /s']));
  t.equal(asked.length, 8);
  t.same(sentence.split('. '), [
    `Chrome allows https://app.example:443, https://b.example:443 (${ALLOWED} in HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome)`,
    'Chrome lets every page reach this computer (LocalNetworkAccessRestrictionsTemporaryOptOut in HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Google\\Chrome)',
    'Firefox allows app.example (LocalNetworkAccess.SkipDomains in HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\Mozilla\\Firefox)',
  ]);
  t.match(remedy, /^Chrome ignores .* in HKEY_CURRENT_USER.*, because HKEY_LOCAL_MACHINE/);
  t.match(await look(t, { platform: 'win32' }), { state: 'ok', sentence: /^none/ });
});

t.test('policies: macOS, the managed preferences and the file of Firefox', async t => {
  const files = {
    '/Library/Managed Preferences/com.google.Chrome.plist': 'bplist00',
    '/Library/Managed Preferences/me/com.microsoft.Edge.plist': 'bplist00',
    '/Library/Managed Preferences/com.apple.dock.plist': 'bplist00',
    '/Applications/Firefox.app/Contents/Resources/distribution/policies.json': {
      policies: { LocalNetworkAccess: { SkipDomains: ['app.example'] } },
    },
  };
  const json = JSON.stringify({ [ALLOWED]: ['https://app.example:443'] });
  const { sentence, remedy } = await look(t, {
    platform: 'darwin',
    files,
    async run(program, args) {
      t.same([program, ...args.slice(0, 4)], ['/usr/bin/plutil', '-convert', 'json', '-o', '-']);
      return args.at(-1)?.includes('Edge') ? { code: 1, said: 'Edge.plist: invalid' } : { code: 0, said: json };
    },
  });
  t.same(sentence.split('. '), [
    `Chrome allows https://app.example:443 (${ALLOWED} in /Library/Managed Preferences/com.google.Chrome.plist)`,
    'Firefox allows app.example (LocalNetworkAccess.SkipDomains in /Applications/Firefox.app/Contents/Resources/distribution/policies.json)',
  ]);
  t.match(
    remedy,
    /^Edge cannot use \/Library\/Managed Preferences\/me\/com\.microsoft\.Edge\.plist: Edge\.plist: invalid/,
  );
  t.match(await look(t, { platform: 'darwin' }), { state: 'ok', sentence: /^none/ });
});
