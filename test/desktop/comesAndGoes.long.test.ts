/** The desktop application starts, ends and returns: the service's answers, without a restart. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { get, scan, until } from '../spec/calls.js';
import { isAway, isThere, untilConnected, versionOf } from '../spec/desktopCalls.js';
import { platen, type Platen } from '../topology/platen.js';
import { sheets } from '../topology/sheets.js';
import type { Fixture } from '../topology/topology.js';
import { createInstallation, messages } from './installation.js';

// They mostly wait for the next dial, so they run side by side. tap changes its options argument, so each test needs
// its own.
t.jobs = 3;
const side = () => ({ buffered: true });

/** Native, unless the request specifies a mode. */
async function transferModeIsItsOwn(t: Test, fixture: Fixture): Promise<void> {
  const modes = async (given: object): Promise<unknown> => {
    const { status, json } = await fixture.request('POST', '/api/twain/scan', {
      body: { scannerName: 'Modes', parameters: { pageSize: 'A6', ...given } },
    });
    t.equal(status, 500);
    return (json as { error: string }).error;
  };
  t.equal(await modes({}), 'asked for Native');
  t.equal(await modes({ transferMode: 'Buffered' }), 'asked for Buffered');
  t.equal(await modes({ transferMode: 'Auto' }), 'asked for Auto');
}

t.test(
  'service first: the desktop application starts, is killed, starts again and is stopped, everything works each time',
  side(),
  async t => {
    const { service, host } = await createInstallation(t);
    const fixture = await service();
    await isAway(t, fixture);
    const first = await host();
    await untilConnected(fixture);
    await isThere(t, fixture);
    const open = await fixture.request('POST', '/api/twain', {
      body: { kind: 'twainlocalscanner', method: 'openSource', params: { sourceName: fixture.name('duplex') } },
    });
    t.equal(open.status, 200);

    first.signal('SIGKILL');
    await first.ended;
    await untilConnected(fixture, false);
    await isAway(t, fixture);
    t.match(
      (await get(fixture, '/api/twain/status')).json,
      { scannerStatus: { isSourceOpen: false } },
      'the open scanner is closed',
    );

    const second = await host();
    await untilConnected(fixture);
    await isThere(t, fixture);
    second.signal('SIGTERM');
    const { code, log } = await second.ended;
    t.equal(code, 0);
    t.match(messages(log), [
      /^Loaded plugins: /,
      /^Listening at /,
      /^The service \(version 0\.1\.0\) connected\.$/,
      'Stopping: SIGTERM.',
      'The service disconnected.',
      'Stopped.',
    ]);
    await untilConnected(fixture, false);
    await isAway(t, fixture);

    // The list of scanners is different now.
    await host({ plugins: [{ use: fileURLToPath(new URL('modes.js', import.meta.url)) }] });
    await untilConnected(fixture);
    const { scanners } = (await get<{ scanners: { name: string }[] }>(fixture, '/api/twain/scanners')).json;
    t.equal(
      scanners.some(({ name }) => name === 'Modes'),
      true,
    );
    await transferModeIsItsOwn(t, fixture);
    const lines = messages(fixture.log()).filter(line => line.includes('desktop application'));
    const version = (await versionOf(fixture)).serviceVersion;
    const connected = `The desktop application, version ${version}, is connected.`;
    const lost = 'The desktop application disconnected; trying to reconnect every 5 seconds.';
    t.same(
      lines.filter(line => line === connected || line === lost),
      [connected, lost, connected, lost, connected],
    );
    t.same(lines.filter(line => line.includes('is not running')).length <= 3, true, 'once for each absence');
  },
);

t.test(
  'desktop application first: a service that ends or is killed is served again after its start',
  side(),
  async t => {
    const { service, host, kill, dataDir } = await createInstallation(t);
    const program = await host();
    t.equal(program.out(), `Platen's desktop application 0.1.0.0 serves virtual on the channel platen\n`);
    const fixture = await service();
    await untilConnected(fixture);
    await isThere(t, fixture);
    fixture.signal('SIGTERM');
    t.equal((await fixture.ended).code, 0);
    await until(async () => messages(program.log()).includes('The service disconnected.'));
    const again = await service();
    t.equal(again.dataDir, dataDir);
    await untilConnected(again);
    await isThere(t, again);
    // The same after the service is killed.
    await kill(again);
    await until(async () => messages(program.log()).filter(line => line === 'The service disconnected.').length === 2);
    t.same(messages(program.log(), 'warn'), []);
  },
);

t.test('platen host --no-wait: a second one on the channel does not start', side(), async t => {
  const { host, dataDir } = await createInstallation(t);
  const first = await host();
  const second = await secondHost(t, dataDir, '--no-wait');
  t.match(await second.ended, { code: 9, out: '', log: `(process ${first.pid})` });
  await host({ config: { channel: 'other' } });
});

t.test(
  'platen host: of three on the channel two wait, and another serves when the first was killed',
  side(),
  async t => {
    const { service, host, dataDir, plugins } = await createInstallation(t);
    const [fixture, first] = await Promise.all([service(), host()]);
    await untilConnected(fixture);
    const [second, stopped] = await Promise.all([
      secondHost(t, dataDir, '--config', await hostConfig(t, plugins)),
      secondHost(t, dataDir),
    ]);
    for (const each of [second, stopped]) await until(async () => each.log().includes('Waiting'));
    stopped.signal('SIGTERM');
    t.match(await stopped.ended, { code: 0, out: '' }, 'a signal ends one that waits');
    t.equal(second.out(), '', 'it loads no driver while it waits');

    first.signal('SIGKILL');
    await first.ended;
    await untilConnected(fixture, false);
    await until(async () => second.out().includes(' on the channel '));
    t.equal(
      messages(second.log()).filter(line => line.includes(`process ${first.pid}`)).length,
      1,
      'logs once that it waits',
    );
    await untilConnected(fixture);
    await fixture.load('duplex', sheets(1, 2));
    const { status, json } = await scan(fixture, 'duplex', { resolution: 75 });
    t.equal(status, 200);
    t.equal(json.imageCount, 2);
  },
);

/** Starts `platen host` on a channel that may have one already. */
async function secondHost(t: Test, dataDir: string, ...args: string[]): Promise<Platen> {
  const config = args.includes('--config') ? [] : ['--config', await hostConfig(t, [])];
  const program = platen(['host', ...args, ...config], { env: { PLATEN_DATA_DIR: dataDir } });
  t.teardown(async () => {
    program.signal('SIGKILL');
    await program.ended;
  });
  return program;
}

async function hostConfig(t: Test, plugins: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-second-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = join(folder, 'host.json');
  await writeFile(file, JSON.stringify({ plugins }), { mode: 0o600 });
  return file;
}

t.test(
  'platen host: a wrong configuration, a missing plugin and a secret that others can read, each with its exit code',
  side(),
  async t => {
    const { host, dataDir } = await createInstallation(t);
    await t.rejects(host({ config: { listen: { port: 1 } } }), {
      name: 'NotStarted',
      exit: { code: 3, log: /"listen".* channel, transferMode, plugins, log\.\n$/ },
    });
    await t.rejects(host({ plugins: [{ use: 'none', required: true }] }), {
      name: 'NotStarted',
      exit: { code: 1, log: /"none" is not installed/ },
    });
    const secret = join(dataDir, 'channel.secret');
    await writeFile(secret, `${'0'.repeat(64)}\n`);
    await chmod(secret, 0o644);
    await t.rejects(host(), {
      name: 'NotStarted',
      exit: { code: 3, log: /^platen host: The secret of the channel .* other accounts may have read it: delete it/m },
    });
  },
);

t.test('platen host: formats and drivers for other programs are skipped, and logged', side(), async t => {
  const { host } = await createInstallation(t);
  const program = await host({
    plugins: [{ use: '@platen/format-png' }, { use: '@platen/driver-desktop', options: { channel: 'other' } }],
  });
  program.signal('SIGTERM');
  const { code, log } = await program.ended;
  t.equal(code, 0);
  t.match(messages(log, 'warn'), [
    /provide formats\. The desktop application ignores them/,
    /^Skipped the driver desktop:/,
    /^No driver is loaded/,
  ]);
});
