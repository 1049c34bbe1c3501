/** `platen trace` and `platen support --trace`: what is recorded, what is not, and how the command ends. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevice } from '@platen/driver-escl/testing';
import t, { type Test } from 'tap';
import { platen } from '../topology/platen.js';

interface Installation {
  readonly folder: string;
  run(
    ...args: readonly string[]
  ): Promise<{ readonly code: number | null; readonly out: string; readonly log: string }>;
  file(name: string): Promise<string>;
}

async function installation(t: Test, plugins: readonly object[]): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-trace-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const config = join(folder, 'platen.json');
  await writeFile(config, JSON.stringify({ plugins }), { mode: 0o600 });
  const env = { PLATEN_CONFIG: config, PLATEN_DATA_DIR: join(folder, 'data'), PLATEN_PORT: '1' };
  return {
    folder,
    run: (...args) => platen(args, { env, cwd: folder }).ended,
    file: name => readFile(join(folder, name), 'utf8'),
  };
}

const escl = (...devices: readonly string[]) => ({
  use: '@platen/driver-escl',
  options: { devices, discovery: false },
});

const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>);

t.test('platen trace: a session, each message of it, no pixels; an isolated driver too', async t => {
  const device = await startDevice({ feeder: 'simplex' });
  t.teardown(() => device.close());
  device.load(2);
  const { run, file, folder } = await installation(t, [{ ...escl(device.url), isolate: true }]);
  const { code, out, log } = await run('trace', '--out', 'a.jsonl', '--dpi', '75', '--sheets', '1');
  t.equal(code, 0, log);
  t.equal(out.trim(), 'a.jsonl');
  const lines = linesOf(await file('a.jsonl'));
  t.match(lines[0], { trace: 1, driver: 'escl', plugin: /^@platen\/driver-escl \d/ });
  t.same(
    lines.flatMap(({ did }) => (did ? [did] : [])),
    ['list', 'open', 'capabilities', 'status', 'scan', 'close'],
  );
  t.match(
    lines.find(({ did }) => did === 'scan'),
    { pages: 1, code: undefined },
  );
  t.equal(lines.filter(({ from }) => (from as { image?: object } | undefined)?.image).length, 1);
  t.ok((await stat(join(folder, 'a.jsonl'))).size < 64 * 1024);
  t.equal(device.fed, 1);

  const again = await run('trace', '--out', 'a.jsonl');
  t.match(again, { code: 2, log: /--force/ });
  t.equal(device.fed, 1, 'no paper moved for a file that could not be written');
  t.match(await run('trace', '--out', 'b.jsonl', '--no-scan'), { code: 0 });
  t.notOk(linesOf(await file('b.jsonl')).some(({ step }) => step === 'scan'));
});

t.test('platen trace: a scan that fails is a trace with its code', async t => {
  const device = await startDevice({ feeder: 'simplex' });
  t.teardown(() => device.close());
  device.load(3);
  device.fault(2, 'jam');
  const { run, file } = await installation(t, [escl(device.url)]);
  t.match(await run('trace', '--out', 'a.jsonl', '--dpi', '75'), { code: 0, log: /paper-jam, pages 1/ });
  t.match(
    linesOf(await file('a.jsonl')).find(({ did }) => did === 'scan'),
    { pages: 1, code: 'paper-jam' },
  );
});

t.test('platen trace: scanners of the desktop application, by its own configuration', async t => {
  const device = await startDevice({ feeder: 'none' });
  t.teardown(() => device.close());
  const { run, folder } = await installation(t, [{ use: '@platen/driver-desktop' }]);
  t.match(await run('trace', '--out', 'a.jsonl', '--scanner', 'Platen Test Device'), { code: 7, log: /--host/ });
  await writeFile(join(folder, 'host.json'), JSON.stringify({ plugins: [escl(device.url)] }), { mode: 0o600 });
  t.match(await run('trace', '--host', '--config', 'host.json', '--out', 'a.jsonl', '--no-scan'), { code: 0 });
});

/** None of these may be in a trace, nor in a file for support. */
const planted = {
  text: 'Dear Mrs Smith, your diagnosis',
  serial: 'VNB3K12345',
  uuid: 'a0b1c2d3-0000-4000-8000-0a0b0c0d0e0f',
  name: 'Anna Mueller',
  host: 'annas-printer.acme.example',
  address: '10.20.30.40',
  path: '/home/anna.mueller/scans',
  token: 'kR3vX9_tq7LwZ0aPdYc5NhJ2sUe8BfGm1iOo4TnQxWs',
  password: 'hunter2-secret',
} as const;

/** A device that says all of it, wherever it may: in headers, texts, comments, attributes and in its errors. */
async function tellTale(t: Test): Promise<string> {
  const device = await startDevice({ feeder: 'none', uuid: planted.uuid });
  const { origin, pathname } = new URL(device.url);
  const secrets = Object.values(planted).join(' ');
  const server: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => void parts.push(part));
    request.on('end', () => {
      const { method = 'GET', url = '' } = request;
      const body = method === 'POST' ? { body: Buffer.concat(parts) } : {};
      void fetch(`${origin}${url}`, { method, ...body }).then(async answer => {
        const { status, headers } = answer;
        const type = headers.get('content-type') ?? '';
        const bytes = Buffer.from(await answer.arrayBuffer());
        const location = headers.get('location');
        const told = type.includes('xml')
          ? Buffer.from(
              bytes.toString().replace(
                /<scan:UUID>/,
                `<!-- ${secrets} --><x a="${planted.token}">${secrets}</x>
<scan:AdminURI>http://${planted.name}:${planted.password}@${planted.host}${planted.path}</scan:AdminURI>
<pwg:SerialNumber>${planted.serial}</pwg:SerialNumber><scan:UUID>`,
              ),
            )
          : bytes;
        response.writeHead(status, {
          'Content-Type': type,
          Server: `HP; Serial Number: ${planted.serial}; http://${planted.host}/`,
          'X-Note': secrets,
          'Set-Cookie': `token=${planted.token}`,
          Authorization: `Basic ${planted.token}`,
          ...(location && {
            Location: location.replace(/^http:\/\/[^/]+/, `http://anna:${planted.password}@${planted.address}`),
          }),
        });
        response.end(told);
      });
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
    await device.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`;
}

t.test('platen trace, platen support --trace: no document, serial number, address, name, path or token', async t => {
  const url = await tellTale(t);
  const { run, file, folder } = await installation(t, [escl(url)]);
  t.match(await run('trace', '--out', 'a.jsonl', '--dpi', '75'), { code: 0, log: /scan: ok, pages 1/ });
  t.match(await run('support', '--out', 'platen.txt', '--trace', 'a.jsonl'), { code: 0 });
  const [trace, text] = [await file('a.jsonl'), await file('platen.txt')];
  t.match(text, /^Device trace$/m);
  t.match(text, /"did":"scan","pages":1/);
  for (const [what, each] of Object.entries(planted)) {
    t.notOk(trace.toLowerCase().includes(each.toLowerCase()), `${what} in the trace`);
    t.notOk(text.toLowerCase().includes(each.toLowerCase()), `${what} in the file for support`);
  }
  t.notMatch(trace, /anna|mueller|acme|Smith/i);

  await writeFile(join(folder, 'letter.txt'), planted.text);
  t.match(await run('support', '--out', 'b.txt', '--trace', 'letter.txt'), { code: 2, log: /is not a trace/ });
  await writeFile(join(folder, 'mixed.jsonl'), `{"trace":1}\n${planted.text}\n`);
  t.match(await run('support', '--out', 'b.txt', '--trace', 'mixed.jsonl'), { code: 2, log: /is not a trace/ });
  t.notOk((await readdir(folder)).includes('b.txt'));
});
