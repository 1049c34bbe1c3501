import { chmod } from 'node:fs/promises';
import t from 'tap';
import { looks } from '../doctor/examine.js';
import { patient, well, type Answers } from './patient.test.kit.js';

const scanners = (...all: readonly [name: string, isOnline: boolean][]): Answers => ({
  ...well,
  '/api/twain/scanners': [
    200,
    { success: true, count: all.length, scanners: all.map(([name, isOnline]) => ({ name, isOnline })) },
  ],
});
const scanned = (status: number, body: object): Answers => ({ ...well, '/api/twain/scan': [status, body] });

t.test('no service runs', async t => {
  const { code, states, of } = await (await patient(t, { running: false, answers: undefined })).examine();
  t.equal(code, 1);
  t.match(of('process'), { state: 'failed', sentence: /^No service runs on the data folder/, remedy: /platen serve/ });
  t.match(of('port'), {
    state: 'failed',
    sentence: /^Nobody listens on port \d+\.$/,
    remedy: 'Start the service: platen serve.',
  });
  for (const id of ['root', 'health', 'scanners']) t.equal(states[id], 'skipped', id);
  t.match(of('scan'), { state: 'skipped', sentence: /not asked for.*--scan/ });
});

t.test('the service runs, and not on this port', async t => {
  const { of } = await (await patient(t, { answers: undefined })).examine();
  t.equal(of('process')?.sentence, `process ${process.pid}`);
  t.match(of('port'), { state: 'failed', remedy: /has another port: name that one with --port/ });
});

t.test('an expired certificate, for which the service did not start', async t => {
  const { code, of, states } = await (
    await patient(t, { certificateAge: 824, running: false, answers: undefined })
  ).examine();
  t.equal(code, 1);
  t.match(of('certificate'), {
    state: 'failed',
    sentence: /cert\.pem expired on \d{4}-/,
    remedy: /administrator rights: platen cert remove, then: platen cert install, then start the service again\.$/,
  });
  t.equal(states['trust'], 'skipped');
  t.match(of('process'), { state: 'failed', remedy: /when its certificate is valid/ });
});

t.test('no certificate; one that expires soon; one that nobody trusts', async t => {
  t.match(
    (await (await patient(t, { certificateAge: undefined, running: false, answers: undefined })).examine()).of(
      'certificate',
    ),
    { state: 'failed', sentence: /There is no certificate/, remedy: /platen cert install/ },
  );
  t.match((await (await patient(t, { certificateAge: 800 })).examine()).of('certificate'), {
    state: 'ok',
    sentence: /renew it soon/,
  });
  const { code, of } = await (await patient(t, { trusted: false })).examine();
  t.equal(code, 1);
  t.match(of('trust'), {
    state: 'failed',
    sentence: /^Not trusted in the store of this computer/,
    remedy: /platen cert install/,
  });
});

t.test('another program has the port: one that speaks no TLS, one that is not Platen', async t => {
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
    [500, well['/']?.[1] ?? ''],
  ] as const) {
    const { of, states } = await (
      await patient(t, { running: false, foreign: true, answers: { '/': answer } })
    ).examine();
    t.match(
      of('port'),
      { state: 'failed', sentence: /^Another program has port \d+: it speaks HTTPS, and is not Platen\.$/ },
      JSON.stringify(answer),
    );
    t.equal(states['health'], 'skipped');
  }
});

t.test(
  "a Platen with another certificate: another data folder's, or started before the certificate was replaced",
  async t => {
    t.match((await (await patient(t, { running: false, foreign: true })).examine()).of('port'), {
      state: 'failed',
      sentence: /on another data folder/,
    });
    t.match((await (await patient(t, { foreign: true })).examine()).of('port'), {
      state: 'failed',
      sentence: /shows another certificate/,
      remedy: /start it again/,
    });
  },
);

t.test('health', async t => {
  const health = async (status: number, text: string) =>
    (await (await patient(t, { answers: { ...well, '/health': [status, text] } })).examine()).of('health');
  t.match(await health(503, 'Unhealthy'), {
    state: 'failed',
    sentence: /^Unhealthy/,
    remedy: /The log of the service says why/,
  });
  t.match(await health(200, 'Degraded'), {
    state: 'failed',
    sentence: /desktop application is not connected/,
    remedy: /platen host/,
  });
  t.match(await health(200, 'fine'), { state: 'failed', sentence: /none of Healthy, Degraded, Unhealthy/ });
});

t.test('no scanners, none that is on, and a list that does not come', async t => {
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
    sentence: 'None is online: A (offline).',
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
    remedy: /log of the service/,
  });
});

t.test('the test scan moves paper only where it was asked for', async t => {
  const sick = await patient(t);
  await sick.examine();
  t.notOk(sick.asked.some(each => each.startsWith('/api/twain/scan ')));
  await t.rejects(sick.examine('--scanner', 'Feeder A'), { code: 'usage', message: /--scan --scanner NAME/ });
  const { code, of } = await sick.examine('--scan');
  t.equal(code, 0);
  t.match(of('scan'), { state: 'ok', sentence: 'Feeder A: 1 page, the first one 1700 × 2200 pixels' });
  t.ok(sick.asked.includes('/api/twain/scan {"scannerName":"Feeder A","parameters":{"requestTimeoutSeconds":120}}'));
});

t.test('a test scan that fails, and one on a scanner that was not named', async t => {
  const scan = async (answers: Answers, ...args: string[]) =>
    (await (await patient(t, { answers })).examine('--scan', ...args)).of('scan');
  t.match(await scan(scanned(500, { success: false, status: 'PaperJam', error: 'Paper is stuck.', images: [] })), {
    state: 'failed',
    sentence: 'Feeder A: Paper is stuck.',
    remedy: /Take the sheet out/,
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
  t.match(await scan(scanned(200, [])), { state: 'failed', sentence: /no Scan result/ });
  const several = scanners(['A', true], ['B', true]);
  t.match(await scan(several), {
    state: 'failed',
    sentence: 'There are several scanners.',
    remedy: 'Name one of these with --scanner: "A", "B".',
  });
  t.match(await scan(several, '--scanner', 'C'), { state: 'failed', sentence: 'There is no scanner "C".' });
  t.match(await scan(several, '--scanner', 'B'), { state: 'ok', sentence: /^B: / });
});

t.test('a configuration that is refused does not keep the doctor from looking at the rest', async t => {
  const { of, states } = await (await patient(t, { config: '{ "plugin": [] }' })).examine();
  t.match(of('configuration'), { state: 'failed', remedy: /platen\.json.*plugin/ });
  t.equal(states['plugins'], 'skipped');
  t.match(states, { certificate: 'ok', process: 'ok', port: 'ok', health: 'ok', scanners: 'ok' });
});

t.test('port 0 of a configuration is any', async t => {
  const { of } = await (await patient(t)).examine('--port', '0');
  t.match(of('port'), { state: 'failed', sentence: /free port/, remedy: /platen doctor --port N/ });
});

const skip = process.platform === 'win32' && 'Windows has no such modes';
t.test('a data folder that is open to others', { skip }, async t => {
  const sick = await patient(t);
  await chmod(sick.dir, 0o755);
  t.match((await sick.examine()).of('dataFolder'), { state: 'failed', remedy: /chmod 700/ });
  await chmod(sick.dir, 0o700);
  t.match((await sick.examine()).of('dataFolder'), { state: 'ok', sentence: sick.dir });
});

t.test('plugins that cannot be loaded, and what a driver lacks', async t => {
  const config = JSON.stringify({
    plugins: [
      { use: '@acme/nowhere', required: true },
      { use: '@acme/off', enabled: false },
    ],
  });
  const { of } = await (await patient(t, { config })).examine();
  t.match(of('plugins'), {
    state: 'failed',
    sentence: '1 of 2 cannot be loaded.',
    remedy: /"@acme\/nowhere" .*"npm install --prefix/,
  });
  t.match(of('helpers'), { state: 'skipped' });
});

t.test('nothing is wrong: every look once, in the order of the interface, for people and for programs', async t => {
  const fit = await patient(t);
  const { code, findings } = await fit.examine('--scan');
  t.equal(code, 0);
  t.same(
    findings.map(({ id }) => id),
    looks.map(({ id }) => id),
  );
  t.same(findings.map(({ id }) => id).slice(6), ['process', 'port', 'root', 'health', 'scanners', 'scan']);
  t.same(
    findings.filter(({ state }) => state !== 'ok').map(({ id }) => id),
    ['helpers'],
    'there is no driver in this configuration',
  );
  const lines = await fit.told('--scan');
  t.equal(lines.at(-1), '\nNothing is wrong.');
  t.equal(lines.filter(line => line.startsWith('✓ ')).length, looks.length - 1);
  const told = await (await patient(t, { answers: scanners() })).told();
  t.ok(told.includes('✗ Scanners         The list is empty.'));
  t.match(
    told.find(line => line.includes('→')),
    /^ {19}→ Connect a scanner/,
  );
  t.equal(told.at(-1), '\nOne thing is wrong: mend the first one first.');
});
