import t from 'tap';
import { policy } from './policy.js';

interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function told(system: NodeJS.Platform, ...args: string[]): Promise<Told> {
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: {},
    cwd: '/',
  };
  const code = await policy(args, io, system);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const app = ['--origin', 'https://app.example'];

t.test('policy: without a browser, each of this system below the place where it belongs', async t => {
  const heads = async (...[system, ...args]: Parameters<typeof told>): Promise<string[]> =>
    (await told(system, ...app, ...args)).out.split('\n').filter(line => line.startsWith('# '));
  const linux = await heads('linux');
  t.match(linux, [
    '# Chrome: /etc/opt/chrome/policies/managed/platen.json',
    '# Edge: /etc/opt/edge/policies/managed/platen.json',
    /^# Chromium: \/etc\/chromium\/policies\/managed\/platen\.json \(Ubuntu: \/etc\/chromium-browser\//,
    /^# Firefox: \/etc\/firefox\/policies\/policies\.json /,
  ]);
  t.match(await heads('win32'), [/^# Chrome: .*platen-chrome\.reg/, /^# Edge: /, /^# Firefox: /]);
  t.match(await heads('darwin'), [/^# Chrome: .*platen-chrome\.mobileconfig/, /^# Edge: /, /^# Firefox: /]);
  t.match((await heads('win32', '--format', 'json')).at(-1), /C:\\.*\\distribution\\policies\.json/);
  t.match((await heads('darwin', '--format', 'json')).at(-1), /Firefox\.app/);
  t.match(await heads('linux', '--format', 'registry'), [/Chrome/, /Edge/, /Firefox/]);
});

t.test('policy: with a browser, one file alone, in the format of this system or the one named', async t => {
  const chromium = await told('linux', ...app, '--browser', 'chromium');
  t.same([chromium.code, chromium.err], [0, '']);
  t.same(JSON.parse(chromium.out), { LoopbackNetworkAllowedForUrls: ['https://app.example:443'] });
  const two = await told('linux', ...app, '--origin', 'https://b.example:8443', '--browser', 'firefox');
  t.same(JSON.parse(two.out), { policies: { LocalNetworkAccess: { SkipDomains: ['app.example', 'b.example'] } } });
  t.match((await told('win32', ...app, '--browser', 'edge')).out, /^Windows Registry Editor Version 5\.00\r\n/);
  t.match((await told('darwin', ...app, '--browser', 'edge')).out, /^<\?xml /);
  t.match((await told('linux', ...app, '--browser', 'edge', '--format', 'registry')).out, /^Windows Registry/);
  t.match((await told('win32', ...app, '--browser', 'chrome', '--format', 'json')).out, /^\{/);
});

t.test('policy: an origin without TLS, printed, and warned of', async t => {
  const { code, out, err } = await told('linux', '--origin', 'http://app.example', ...app, '--browser', 'chrome');
  t.equal(code, 0);
  t.same(JSON.parse(out), { LoopbackNetworkAllowedForUrls: ['http://app.example:80', 'https://app.example:443'] });
  t.match(err, /^http:\/\/app\.example: .*HTTPS/);
});

t.test('policy: wrong usage is named, and nothing is printed', async t => {
  const wrong: readonly (readonly [string, RegExp])[] = [
    ['', /--origin is missing/],
    ['--origin null', /--origin "null"/],
    ['--origin https://app.example/scan', /path/],
    ['--origin https://app.example --origin *', /--origin "\*"/],
    ['--origin https://app.example --browser safari', /--browser "safari".*chrome, edge, chromium, firefox/],
    ['--origin https://app.example --format plist', /--format "plist".*json, registry, profile/],
  ];
  for (const [flags, message] of wrong)
    await t.rejects(told('linux', ...flags.split(' ').filter(Boolean)), { code: 'usage', message }, flags);
  await t.rejects(told('linux', ...app, '--write'), { code: /^ERR_PARSE_ARGS_/ });
  t.match(await told('linux', '--help'), { code: 0, out: /Exit codes:/ });
});
