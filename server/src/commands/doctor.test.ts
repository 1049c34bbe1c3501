import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import t from 'tap';
import { createVendor } from '../service/licences/licence.test.kit.js';
import { newSecret } from '../service/consent/questions.js';
import { looks } from './doctor/examine.js';
import { patient, rootInfo, well, type Answers, type PatientOptions } from './patient.test.kit.js';

const scanners = (...all: readonly [name: string, isOnline: boolean][]): Answers => ({
  ...well,
  '/api/twain/scanners': [
    200,
    { success: true, count: all.length, scanners: all.map(([name, isOnline]) => ({ name, isOnline })) },
  ],
});
const scanned = (status: number, body: object): Answers => ({ ...well, '/api/twain/scan': [status, body] });

t.test('doctor: no service is running', async t => {
  const { code, states, of } = await (await patient(t, { running: false, answers: undefined })).examine();
  t.equal(code, 1);
  t.match(of('process'), { state: 'failed', sentence: /^No service uses the data folder/, remedy: /platen serve/ });
  t.match(of('port'), {
    state: 'failed',
    sentence: /^Nothing listens on port \d+\.$/,
    remedy: 'Start the service: platen serve.',
  });
  for (const id of ['root', 'health', 'scanners']) t.equal(states[id], 'skipped', id);
  t.match(of('scan'), { state: 'skipped', sentence: /not requested.*--scan/ });
});

t.test('doctor: the service runs on another port', async t => {
  const { of } = await (await patient(t, { answers: undefined })).examine();
  t.equal(of('process')?.sentence, `process ${process.pid}`);
  t.match(of('port'), { state: 'failed', remedy: /has another port: pass that with --port/ });
});

t.test('doctor: the service did not start because the certificate expired', async t => {
  const { code, of, states } = await (
    await patient(t, { certificateAge: 824, running: false, answers: undefined })
  ).examine();
  t.equal(code, 1);
  t.match(of('certificate'), {
    state: 'failed',
    sentence: /cert\.pem expired on \d{4}-/,
    remedy: /administrator rights: platen cert remove, then: platen cert install, then restart the service\.$/,
  });
  t.equal(states['trust'], 'skipped');
  t.match(of('process'), { state: 'failed', remedy: /^Fix the certificate/ });
});

t.test('doctor: a missing, a soon expiring and an untrusted certificate', async t => {
  t.match(
    (await (await patient(t, { certificateAge: undefined, running: false, answers: undefined })).examine()).of(
      'certificate',
    ),
    { state: 'failed', sentence: /There is no certificate/, remedy: /platen cert install/ },
  );
  t.match((await (await patient(t, { certificateAge: 800 })).examine()).of('certificate'), {
    state: 'ok',
    sentence: /Add successors soon: platen cert install/,
  });
  const { code, of } = await (await patient(t, { trusted: false })).examine();
  t.equal(code, 1);
  t.match(of('trust'), {
    state: 'failed',
    sentence: /^Not trusted in the store of this computer/,
    remedy: /platen cert install/,
  });
});

t.test('doctor: another program has the port, without TLS or with HTTPS', async t => {
  const plain = await (await patient(t, { running: false, plain: true })).examine();
  t.match(plain.of('port'), {
    state: 'failed',
    sentence: /^Another program has port \d+: it does not speak HTTPS/,
    remedy: /^Stop it, or give the service another port/,
  });
  t.equal(plain.states['root'], 'skipped');
  for (const answer of [
    [404, 'not here'],
    [200, '<html>'],
    [200, { service: 'Other', version: '1', status: 'running', timestamp: '' }],
    [200, []],
    [500, rootInfo],
  ] as const) {
    const { of, states } = await (
      await patient(t, { running: false, foreign: true, answers: { '/': answer } })
    ).examine();
    t.match(
      of('port'),
      { state: 'failed', sentence: /^Another program has port \d+: it speaks HTTPS, but is not Platen\.$/ },
      JSON.stringify(answer),
    );
    t.equal(states['health'], 'skipped');
  }
});

t.test('doctor: a service with another certificate, of another data folder or from before a replacement', async t => {
  t.match((await (await patient(t, { running: false, foreign: true })).examine()).of('port'), {
    state: 'failed',
    sentence: /with another data folder/,
  });
  t.match((await (await patient(t, { foreign: true })).examine()).of('port'), {
    state: 'failed',
    sentence: /uses another certificate/,
    remedy: /restart the service/,
  });
});

t.test('doctor: each answer of GET /health', async t => {
  const health = async (status: number, text: string) =>
    (await (await patient(t, { answers: { ...well, '/health': [status, text] } })).examine()).of('health');
  t.match(await health(503, 'Unhealthy'), {
    state: 'failed',
    sentence: /^Unhealthy/,
    remedy: /See the service's log/,
  });
  t.match(await health(200, 'Degraded'), {
    state: 'failed',
    sentence: /desktop application is not connected/,
    remedy: /platen host/,
  });
  t.match(await health(200, 'fine'), { state: 'failed', sentence: /not Healthy, Degraded or Unhealthy/ });
});

t.test('doctor: no scanner, no scanner online, and a list that fails', async t => {
  const list = async (answers: Answers) => (await patient(t, { answers })).examine('--scan');
  const none = await list(scanners());
  t.match(none.of('scanners'), {
    state: 'failed',
    sentence: 'The list is empty.',
    remedy: /Connect a scanner.*or install its driver/,
  });
  t.equal(none.states['scan'], 'skipped');
  t.match((await list(scanners(['A', false]))).of('scanners'), {
    state: 'failed',
    sentence: 'No scanner is online: A (offline).',
  });
  t.match((await list(scanners(['A', false], ['B', true]))).of('scanners'), {
    state: 'ok',
    sentence: 'A (offline), B',
  });
  const slow = { '/app/scanners': [200, { success: true, slowDrivers: ['acme'] }] } as const;
  t.match((await list({ ...scanners(['B', true]), ...slow })).of('scanners'), {
    state: 'failed',
    sentence: /^B\..*"acme"/,
  });
  const searches = [['acme'], ['acme'], []];
  const starting = (): readonly [number, object] => [200, { success: true, slowDrivers: searches.shift() ?? [] }];
  const started = await patient(t, { answers: { ...scanners(['B', true]), '/app/scanners': starting }, searchMs: 1e9 });
  t.match((await started.examine()).of('scanners'), { state: 'ok', sentence: 'B' });
  t.same(searches, [], 'waits until the drivers of a service that has just started have looked');
  const failures = [{ driver: 'acme', message: 'Unplug "Z".' }];
  const failing = { '/app/scanners': [200, { success: true, slowDrivers: [], listingFailures: failures }] } as const;
  t.match((await list({ ...scanners(['B', true]), ...failing })).of('scanners'), {
    state: 'failed',
    sentence: /^B\..*"acme"/,
    remedy: 'Unplug "Z".',
  });
  t.match((await list({ ...scanners(), ...slow })).of('scanners'), {
    state: 'failed',
    sentence: /^The list is empty\..*"acme"/,
  });
  t.match(
    (await list({ ...well, '/api/twain/scanners': [503, { success: false, error: 'It is away.' }] })).of('scanners'),
    { state: 'failed', sentence: 'It is away.', remedy: /platen host/ },
  );
  t.match((await list({ ...well, '/api/twain/scanners': [500, 'x'] })).of('scanners'), {
    state: 'failed',
    remedy: /the service's log/,
  });
});

t.test('doctor: the test scan moves paper only on request', async t => {
  const sick = await patient(t);
  await sick.examine();
  t.notOk(sick.asked.some(each => each.startsWith('/api/twain/scan ')));
  await t.rejects(sick.examine('--scanner', 'Feeder A'), { code: 'usage', message: /--scan --scanner NAME/ });
  const { code, of } = await sick.examine('--scan');
  t.equal(code, 0);
  t.match(of('scan'), { state: 'ok', sentence: 'Feeder A: 1 page, the first one 1700 × 2200 pixels' });
  t.ok(sick.asked.includes('/api/twain/scan {"scannerName":"Feeder A","parameters":{"requestTimeoutSeconds":120}}'));
});

t.test('doctor: a test scan fails, or names no scanner', async t => {
  const scan = async (answers: Answers, ...args: string[]) =>
    (await (await patient(t, { answers })).examine('--scan', ...args)).of('scan');
  t.match(await scan(scanned(500, { success: false, status: 'PaperJam', error: 'Paper is stuck.', images: [] })), {
    state: 'failed',
    sentence: 'Feeder A: Paper is stuck.',
    remedy: /Remove the sheet/,
  });
  t.match(await scan(scanned(500, { success: false, status: 'NoPaper', error: 'It is empty.', images: [] })), {
    state: 'failed',
    remedy: /Insert a sheet/,
  });
  t.match(await scan(scanned(409, { success: false, error: 'It is busy.' })), {
    state: 'failed',
    sentence: 'Feeder A: It is busy.',
    remedy: /log/,
  });
  t.match(await scan(scanned(200, { success: true, status: 'Success', images: [] })), {
    state: 'failed',
    sentence: /without a page/,
  });
  t.match(await scan(scanned(200, [])), { state: 'failed', sentence: /not a Scan result/ });
  const several = scanners(['A', true], ['B', true]);
  t.match(await scan(several), {
    state: 'failed',
    sentence: 'There are several scanners.',
    remedy: 'Name one of these with --scanner: "A", "B".',
  });
  t.match(await scan(several, '--scanner', 'C'), { state: 'failed', sentence: 'There is no scanner "C".' });
  t.match(await scan(several, '--scanner', 'B'), { state: 'ok', sentence: /^B: / });
});

t.test('doctor: a rejected configuration does not stop the other checks', async t => {
  const { of, states } = await (await patient(t, { config: '{ "plugin": [] }' })).examine();
  t.match(of('configuration'), { state: 'failed', remedy: /platen\.json.*plugin/ });
  t.equal(states['plugins'], 'skipped');
  t.match(states, { certificate: 'ok', process: 'ok', port: 'ok', health: 'ok', scanners: 'ok' });
});

t.test("doctor: the configuration's port is 0", async t => {
  const { of } = await (await patient(t)).examine('--port', '0');
  t.match(of('port'), { state: 'failed', sentence: /free port/, remedy: /platen doctor --port N/ });
});

const skip = process.platform === 'win32' && 'Windows has no such modes';
t.test('doctor: a data folder open to other accounts', { skip }, async t => {
  const sick = await patient(t);
  await chmod(sick.dir, 0o755);
  t.match((await sick.examine()).of('dataFolder'), { state: 'failed', remedy: /chmod 700/ });
  await chmod(sick.dir, 0o700);
  t.match((await sick.examine()).of('dataFolder'), { state: 'ok', sentence: sick.dir });
});

t.test('doctor: plugins that cannot be loaded, and drivers that lack something', async t => {
  const config = JSON.stringify({
    plugins: [
      { use: '@acme/nowhere', required: true },
      { use: '@acme/off', enabled: false },
    ],
  });
  const { of } = await (await patient(t, { config })).examine();
  t.match(of('plugins'), {
    state: 'failed',
    sentence: '1 of 2 plugins could not be loaded.',
    remedy: /"@acme\/nowhere" .*"platen plugins add/,
  });
  t.match(of('helpers'), { state: 'skipped' });
});

t.test('doctor: which web pages may scan', async t => {
  const examined = async (security: object, files: Readonly<Record<string, string>> = {}) => {
    const fit = await patient(t, { config: JSON.stringify({ security }) });
    for (const [name, text] of Object.entries(files)) {
      const file = join(fit.dir, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
    }
    const { code, of } = await fit.examine();
    return { code, found: of('origins') };
  };
  const grant = (origin: string, may: readonly string[]) => JSON.stringify({ origin, may, by: 'page' });
  const fileOf = (origin: string) => `origins/${createHash('sha256').update(origin).digest('hex')}.json`;
  const [one, two] = ['https://a.example', 'https://b.example'].map(fileOf) as [string, string];
  t.match(await examined({}), { code: 0, found: { state: 'ok', sentence: /^open: /, remedy: /"origins": "ask"/ } });
  t.match(await examined({ origins: ['https://a.example'] }), {
    code: 0,
    found: { state: 'ok', sentence: 'a list: 1 allowed' },
  });
  const answers = {
    [one]: grant('https://a.example', ['scan']),
    [two]: grant('https://b.example', []),
  };
  const fixed = JSON.stringify({ grants: [{ origin: 'https://c.example', may: ['scan'] }] });
  t.match(await examined({ origins: 'ask' }, { ...answers, '../origins.json': fixed }), {
    code: 0,
    found: { state: 'ok', sentence: 'ask: 2 allowed, 1 refused, 1 of them by an administrator' },
  });
  t.match(await examined({ origins: 'ask' }, { ...answers, [two]: '{' }), {
    code: 1,
    found: { state: 'failed', remedy: /\.json is not a grant[^]*Remove/ },
  });
  t.match(await examined({ origins: 'ask' }, { '../origins.json': '{}' }), {
    code: 1,
    found: { state: 'failed', remedy: /origins\.json cannot be used/ },
  });
});

t.test('doctor: the token goes to the service of this data folder, and to no other program', async t => {
  const config = JSON.stringify({ security: { localPrograms: 'token' } });
  const token = newSecret();
  const sent = async (options: PatientOptions) => {
    const fit = await patient(t, { config, ...options });
    await writeFile(join(fit.dir, 'local.token'), `${token}\n`, { mode: 0o600 });
    const { of } = await fit.examine('--scan');
    return { proven: fit.proven, of };
  };
  t.match((await sent({})).proven, [
    `/health Bearer ${token}`,
    `/app/scanners Bearer ${token}`,
    `/api/twain/scanners Bearer ${token}`,
    `/api/twain/scan Bearer ${token}`,
    `/app/plugins Bearer ${token}`,
  ]);
  t.same((await sent({ foreign: true })).proven, [], 'another certificate');
  t.same((await sent({ foreign: true, running: false })).proven, []);
  const refused = { ...well, '/api/twain/scanners': [401, { success: false, error: 'No token.' }] } as const;
  t.match((await sent({ answers: refused })).of('scanners'), {
    state: 'failed',
    sentence: 'No token.',
    remedy: /another token than its data folder/,
  });
  const none = await patient(t, { config, answers: refused });
  t.match((await none.examine()).of('scanners'), { state: 'failed', remedy: /There is no token in .*local\.token/ });
});

t.test('doctor: a format whose library cannot be loaded', async t => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'platen-format-')));
  t.teardown(() => rm(folder, { recursive: true }));
  const use = join(folder, 'broken.mjs');
  const encode = 'async encode() { throw new Error("libvips.so is missing"); }';
  const format = `{ name: 'Png', aliases: [], mimeType: 'image/png', ${encode} }`;
  await writeFile(use, `export default { name: 'broken', api: 1, setup: () => ({ formats: [${format}] }) };`);
  const config = JSON.stringify({ plugins: [{ use }, { use: '@platen/format-jpeg' }] });
  const { of } = await (await patient(t, { config })).examine();
  t.match(of('plugins'), { state: 'failed', remedy: /^The format Png .*libvips\.so is missing.*$/ });
});

t.test("doctor: a browser's policy blocks every page, shown with advice, and no check failed", async t => {
  const fit = await patient(t);
  const folder = join(fit.root, '/etc/chromium/policies/managed');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'ours.json'), '{ "LoopbackNetworkBlockedForUrls": ["*"] }');
  const { code, of } = await fit.examine();
  t.equal(code, 0);
  t.match(of('policies'), {
    state: 'ok',
    sentence: /^Chromium blocks every page .*ours\.json/,
    remedy: /platen policy/,
  });
  t.match((await fit.told()).join('\n'), /^✓ Browser policies Chromium blocks every page .*\n +→ Chromium blocks/m);
});

t.test("doctor: no fault, each check once in the interface's order, as text and as JSON", async t => {
  const fit = await patient(t);
  const { code, findings } = await fit.examine('--scan');
  t.equal(code, 0);
  t.same(
    findings.map(({ id }) => id),
    looks.map(({ id }) => id),
  );
  t.same(findings.map(({ id }) => id).slice(-7, -1), ['process', 'port', 'root', 'health', 'scanners', 'scan']);
  t.same(
    findings.filter(({ state }) => state !== 'ok').map(({ id }) => id),
    ['helpers'],
    'there is no driver in this configuration',
  );
  t.match(findings.find(({ id }) => id === 'gaps')?.remedy, /platen\.json/, 'a warning');
  const lines = await fit.told('--scan');
  t.equal(lines.at(-1), '\nNo check failed.');
  t.equal(lines.filter(line => line.startsWith('✓ ')).length, looks.length - 1);
  const told = await (await patient(t, { answers: scanners() })).told();
  t.ok(told.includes('✗ Scanners         The list is empty.'));
  t.match(
    told.findLast(line => line.includes('→')),
    /^ {19}→ Connect a scanner/,
  );
  t.equal(told.at(-1), '\n1 check failed. Fix the first ✗ first.');
});

t.test('doctor: successors, and one that a store does not trust', async t => {
  const sick = await patient(t, { running: false, certificates: 3 });
  const { of } = await sick.examine();
  t.match(of('certificate'), { state: 'ok', sentence: /next one by itself, until \S+, 2351 days/ });
  t.match(of('trust'), { state: 'ok', sentence: /The next certificate is not trusted in the store of this computer/ });
});

t.test('doctor: plugins by state, and a licence that ends soon is a warning', async t => {
  const vendor = createVendor();
  const folder = await mkdtemp(join(await realpath(tmpdir()), 'platen-licensed-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const use = join(folder, 'reader.mjs');
  const premium = JSON.stringify({ publicKey: vendor.publicKey });
  const source = `export default { name: '@acme/reader', api: 1, premium: ${premium}, setup: () => ({}) };`;
  await writeFile(use, source, { mode: 0o600 });
  const exp = (days: number): number => Math.floor(Date.now() / 1000) + days * 86_400;
  const diagnosis = async (days: number) => {
    const licence = await vendor.licence({ exp: exp(days) });
    const plugins = [
      { use, licence },
      { use: '@platen/format-jpeg' },
      { use: '@acme/off', enabled: false },
      { use: '@acme/elsewhere', on: ['aix'] },
    ];
    return (await patient(t, { config: JSON.stringify({ plugins }) })).examine();
  };
  const { code, of } = await diagnosis(20);
  t.match(of('plugins'), {
    state: 'ok',
    sentence: '2 loaded, 1 switched off, 1 not for this system',
    plugins: [
      { use, state: 'loaded' },
      { use: '@platen/format-jpeg', state: 'loaded', version: String },
      { use: '@acme/off', state: 'disabled', sentence: String },
      { use: '@acme/elsewhere', state: 'skipped', sentence: String },
    ],
  });
  const found = of('licences');
  t.match(found, { state: 'warning', remedy: /Ask its vendor/ });
  t.match(found?.licences, [{ plugin: use, customer: 'Acme Clinic', until: /^\d{4}-/, trial: false }]);
  // Midnight may have passed since.
  t.ok([19, 20].includes(found!.licences![0]!.daysLeft));
  t.notMatch(found?.sentence, /Acme Clinic/);
  t.equal(code, 0, 'a warning is no failure');
  t.equal((await diagnosis(400)).of('licences')?.state, 'ok');
  const ended = await diagnosis(-1);
  t.match(ended.of('plugins'), { state: 'failed', plugins: [{ use, state: 'unlicensed', sentence: /ended on/ }] });
  t.equal(ended.code, 1);
});
