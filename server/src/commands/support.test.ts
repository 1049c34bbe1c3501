/** `platen support`: what the file has, and what must not be in it. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { createCertificate } from '../machine/tls/certificate.js';
import { allOf, fakeStore } from '../machine/tls/trust/fakes.test.kit.js';
import { support } from './support.js';

/** None of these may be in the file. */
const planted = {
  text: 'Dear Mrs Smith, your diagnosis',
  barcode: 'PATIENT-4711',
  token: 'kR3vX9_tq7LwZ0aPdYc5NhJ2sUe8BfGm1iOo4TnQxWs',
  licence: 'eyJhbGciOiJFZERTQSJ9.eyJjdXN0b21lciI6IkFjbWUifQ.c2lnbmF0dXJlLW9mLXRoZS1saWNlbmNl',
  password: 'hunter2!',
  account: 'anna.mueller',
  profile: 'Dr Meier',
  document: 'biopsy.png',
} as const;

async function installation(t: Test, more: object = {}) {
  const root = t.testdir();
  const home = join(root, 'home', planted.account);
  const [dataDir, config] = [join(home, 'data'), join(home, 'platen.json')];
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  await createCertificate(dataDir);
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, content, { mode: 0o600 });
  };
  const lines = [
    {
      level: 30,
      time: '2026-01-01T00:00:00.000Z',
      part: 'service',
      msg: 'The scan on Feeder A is complete: pages 3, 1.0 s.',
    },
    {
      level: 40,
      time: '2026-01-01T00:00:01.000Z',
      part: 'service',
      msg: `${home}/data/spool is full; /home/${planted.account}/x, /Users/${planted.account}/x`,
    },
    {
      level: 40,
      time: '2026-01-01T00:00:01.000Z',
      part: 'service',
      msg: `C:\\Users\\${planted.account}\\AppData and /mnt/${planted.account}/scans, Bearer ${planted.token}`,
    },
    { level: 30, time: '2026-01-01T00:00:02.000Z', part: '@acme/ocr', msg: `read: ${planted.text}` },
    {
      level: 50,
      time: '2026-01-01T00:00:03.000Z',
      part: '@acme/ocr',
      msg: planted.barcode,
      err: {
        message: planted.text,
        stack: `Error: ${planted.text}\n    at read (file://${home}/acme/dist/main.js:3:1)`,
      },
    },
    {
      level: 40,
      time: '2026-01-01T00:00:04.000Z',
      part: 'service',
      msg: `The licence ${planted.licence} has no valid signature.`,
    },
  ];
  write(join(dataDir, 'logs', 'platen.1.log'), `${JSON.stringify({ ...lines[0], msg: 'An older line.' })}\n`);
  write(
    join(dataDir, 'logs', 'platen.log'),
    `${lines.map(line => JSON.stringify(line)).join('\n')}\nnot JSON ${planted.text}`,
  );
  write(join(dataDir, 'local.token'), `${planted.token}\n`);
  write(join(dataDir, 'scans', 'x', '1.json'), JSON.stringify({ ocrText: planted.text }));
  write(join(dataDir, 'trays', planted.account, planted.document), planted.text);
  write(
    config,
    JSON.stringify({
      plugins: [
        {
          use: join(home, 'acme-driver'),
          licence: planted.licence,
          options: { password: planted.password, port: 4711, hosts: { [planted.profile]: planted.account } },
        },
      ],
      profiles: {
        [planted.profile]: {
          colorMode: 'Grayscale',
          resolution: 300,
          separate: { text: planted.barcode },
          title: planted.text,
        },
      },
      security: { origins: ['https://app.example'] },
      ...more,
    }),
  );
  const [out, err]: [string[], string[]] = [[], []];
  const io = {
    out: (line: string) => void out.push(line),
    err: (line: string) => void err.push(line),
    env: { PLATEN_DATA_DIR: dataDir, PLATEN_CONFIG: config, PLATEN_PORT: '1', HOME: home, USER: planted.account },
    cwd: root,
  };
  const stores = async () => allOf(fakeStore('the store of this computer', []));
  const browsers = { platform: 'linux', root: join(root, 'computer'), env: {}, run: async () => undefined } as const;
  return { root, dataDir, out, err, run: (...args: string[]) => support(args, io, { stores, browsers }) };
}

t.test('support: nothing of a document, no token, licence or password, no name of a person', async t => {
  const { root, run, out } = await installation(t);
  t.equal(await run('--out', 'platen.txt'), 0);
  const file = join(root, 'platen.txt');
  const text = readFileSync(file, 'utf8');
  for (const [what, each] of Object.entries(planted)) t.notOk(text.toLowerCase().includes(each.toLowerCase()), what);
  for (const part of planted.licence.split('.')) t.notOk(text.includes(part), 'no part of the licence');
  t.notOk(text.includes(root), 'no part of the home folder');
  t.same(out, ['platen.txt']);
  if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o777, 0o600);
});

t.test('support: versions, configuration, findings, plugins and log are in it', async t => {
  const { root, run } = await installation(t);
  await run('--out', 'platen.txt');
  const text = readFileSync(join(root, 'platen.txt'), 'utf8');
  for (const found of [
    /^Platen \d+\.\d+\.\d+.*, Node \d+\.\d+\.\d+, plugin api \d+$/m,
    /"resolution": 300/,
    /"colorMode": "Grayscale"/,
    /"https:\/\/app\.example"/,
    /"use": "~\/acme-driver"/,
    /"options": "\(removed: 3 keys\)"/,
    /^failed +Plugins: /m,
    /^refused +~\/acme-driver/m,
    /^scans: 1 files, \d+ bytes$/m,
    /^2026-01-01T00:00:00\.000Z INFO service: The scan on Feeder A is complete: pages 3, 1\.0 s\.$/m,
    /^2026-01-01T00:00:02\.000Z INFO @acme\/ocr: \(removed: \d+ characters\)$/m,
    /at read \(file:\/\/~\/acme\/dist\/main\.js:3:1\)/,
  ])
    t.match(text, found);
  t.ok(text.indexOf('An older line.') < text.indexOf('Feeder A is complete'), 'in the order of time');
});

/** Options with a secret of each kind; the plugin refuses them, the log quotes them. */
const secretOptions = {
  pin: 482_913,
  annamaria: true,
  url: 'http://anna:hunter2hunter2@10.0.0.7',
  'Dr Huber': 7,
  few: 'q9',
  door: { 'C:\\keys\\front': 'the "blue" one' },
};

t.test('support: options of a plugin, neither in the configuration nor in the doctor and the log', async t => {
  const plugins = [
    { use: '@platen/driver-virtual', options: secretOptions },
    { use: '@platen/format-png', options: { devices: [secretOptions], ...secretOptions } },
  ];
  const { root, dataDir, run } = await installation(t, { plugins });
  const said = [
    'The plugin "x" has invalid options: Unknown key "options.annamaria". Allowed: none.',
    'The plugin "x" has invalid options: options.door.keys takes a list, not the string given.',
    'The plugin "x" could not be set up (the pin 482913 is wrong, "q9" too, "annamaria" and Dr Huber).',
    `http://anna:hunter2hunter2@10.0.0.7/eSCL does not answer; ${JSON.stringify(secretOptions.door)}`,
  ];
  const line = (msg: string): string =>
    JSON.stringify({ level: 40, time: '2026-01-01T00:00:00.000Z', part: '@platen/driver-virtual', msg });
  writeFileSync(join(dataDir, 'logs', 'platen.log'), said.map(line).join('\n'), { mode: 0o600 });
  t.equal(await run('--out', 'platen.txt'), 0);
  const text = readFileSync(join(root, 'platen.txt'), 'utf8');
  for (const secret of ['482913', 'annamaria', 'hunter2hunter2', '10.0.0.7', 'Huber', 'q9', 'keys\\', 'blue', 'door.'])
    t.notOk(text.includes(secret), secret);
  t.match(text, /"options": "\(removed: 6 keys\)"/);
  t.match(text, /"options": "\(removed: 7 keys\)"/);
  t.match(text, /^refused +@platen\/driver-virtual.*invalid options/m);
  t.match(
    text,
    /^2026-01-01T00:00:00\.000Z WARN @platen\/driver-virtual: .*does not answer/m,
    'the rest of the log stays',
  );
});

t.test('support: a configuration that is no JSON, no data folder: the file says so', async t => {
  const { root, run, dataDir } = await installation(t);
  writeFileSync(join(dirname(dataDir), 'platen.json'), `{ "licence": "${planted.licence}`, { mode: 0o600 });
  writeFileSync(join(dataDir, 'logs', 'platen.log'), '');
  writeFileSync(join(dataDir, 'logs', 'platen.1.log'), '');
  t.equal(await run('--out', 'platen.txt'), 0);
  const text = readFileSync(join(root, 'platen.txt'), 'utf8');
  t.match(text, /It cannot be read: /);
  t.match(text, /There is no log file\./);
  t.match(text, /^failed +Configuration: /m);
  t.notOk(text.includes(planted.licence.slice(0, 20)));
});

t.test('support: a file that exists is left alone, unless forced', async t => {
  const { root, run } = await installation(t);
  const file = join(root, 'platen.txt');
  writeFileSync(file, 'mine');
  await t.rejects(run('--out', 'platen.txt'), { code: 'usage', message: /platen\.txt.*--force/ });
  t.equal(readFileSync(file, 'utf8'), 'mine');
  t.equal(await run('--out', 'platen.txt', '--force'), 0);
  t.match(readFileSync(file, 'utf8'), /^Platen support file\n/);
});

t.test('support: wrong usage', async t => {
  const { root, run, out } = await installation(t);
  await t.rejects(run(), { code: 'usage', message: /--out/ });
  await t.rejects(run('--out', 'no/such/folder/x.txt'), { message: /ENOENT/ });
  await t.rejects(run('--into', 'x'), { code: 'ERR_PARSE_ARGS_UNKNOWN_OPTION' });
  t.notOk(existsSync(join(root, 'no')));
  t.equal(await run('--help'), 0);
  t.match(out.join('\n'), /platen support --out FILE/);
});
