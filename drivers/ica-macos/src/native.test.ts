/**
 * The helper's verbs: what they refuse, that none blocks, and that the helper ends with the service. Under
 * AddressSanitizer and UBSan.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { readFrames, type Frame } from '@platen/driver-kit';
import { env, nativeFor } from './native.test.kit.js';
import { bodyOf, lacking, simulation } from './rig.test.kit.js';

const skip = lacking();

t.test('build: a misspelt or missing delegate method, does not compile', { skip }, async t => {
  const native = fileURLToPath(new URL('../native', import.meta.url));
  const wire = fileURLToPath(new URL('native', import.meta.resolve('@platen/driver-kit/package.json')));
  const flags = execFileSync('gnustep-config', ['--objc-flags'], { encoding: 'utf8' })
    .split(/\s+/)
    .filter(flag => flag !== '' && !flag.startsWith('-M'));
  const compiles = (source: string) =>
    spawnSync(
      'gcc',
      [
        ...flags,
        '-std=gnu11',
        '-Wprotocol',
        '-Werror',
        '-fsyntax-only',
        '-x',
        'objective-c',
        '-I',
        wire,
        '-I',
        native,
        '-I',
        join(native, 'simulation'),
        '-',
      ],
      { input: source, encoding: 'utf8' },
    );
  const session = await readFile(join(native, 'session.m'), 'utf8');
  t.match(compiles(session), { status: 0, stderr: '' });
  for (const method of [
    'didScanToBandData',
    'deviceDidBecomeReady',
    'didCompleteScanWithError',
    'didRemoveDevice',
    'didSelectFunctionalUnit',
  ]) {
    t.match(
      compiles(session.replaceAll(`${method}:`, `${method}s:`)),
      { status: 1, stderr: /not found|incomplete implementation/ },
      method,
    );
  }
});

t.test("build: on a Mac, for the Mac's own processor, without ARC, linked to the framework", { skip }, async t => {
  const native = fileURLToPath(new URL('../native', import.meta.url));
  const nodeGyp = dirname(createRequire(import.meta.url).resolve('node-gyp/package.json'));
  const headers = join(
    fileURLToPath(new URL('native/nodedir', import.meta.resolve('@platen/driver-kit/package.json'))),
    'include/node',
  );
  const out = t.testdir({});
  // The commands that gyp runs on a Mac.
  await writeFile(join(out, 'xcodebuild'), '#!/bin/sh\necho "Xcode 16.0"; echo "Build version 16A242d"\n', {
    mode: 0o755,
  });
  const macEnv = { ...process.env, PATH: `${out}:${process.env['PATH']}` };
  const makefile = async (arch: string) => {
    const defines = Object.entries({
      OS: 'mac',
      target_arch: arch,
      node_root_dir: '.',
      node_lib_file: 'x',
      module_root_dir: '.',
      node_engine: 'v8',
      node_gyp_dir: nodeGyp,
      standalone_static_library: 1,
    });
    const includes = [join(nodeGyp, 'addon.gypi'), join(headers, 'common.gypi')].flatMap(path => ['-I', path]);
    const args = [
      'binding.gyp',
      '-f',
      'make-mac',
      ...includes,
      ...defines.map(([name, value]) => `-D${name}=${value}`),
      '--depth=.',
      '--no-parallel',
      `--generator-output=${out}`,
      '-Goutput_dir=.',
    ];
    execFileSync('python3', [join(nodeGyp, 'gyp/gyp_main.py'), ...args], {
      cwd: native,
      env: macEnv,
      encoding: 'utf8',
    });
    return (await readFile(join(out, 'platen-ica-helper.target.mk'), 'utf8')).replaceAll(/\s*\\\n\s*/g, ' ');
  };
  for (const [arch, told] of [
    ['arm64', 'arm64'],
    ['x64', 'x86_64'],
  ] as const) {
    const text = await makefile(arch);
    t.strictSame([...new Set(text.match(/-arch \S+/g))], [`-arch ${told}`], arch);
    for (const flag of [
      '-mmacosx-version-min=12.0',
      '-fno-objc-arc',
      '-framework ImageCaptureCore',
      '$(TARGET)/scan.o',
    ])
      t.match(text, flag);
    t.notMatch(text, /-fobjc-arc|-bundle|dynamic_lookup/);
  }
});

t.test('browsing', { skip }, async t => {
  const { events, ask, refused } = await nativeFor(t, 'flatbed', 0, false);
  t.match(events, [{ event: 'added', device: 'desk', name: 'Desk', coming: false }, { event: 'enumerated' }]);
  t.match(await ask('browse'), { count: 1 });
  t.equal(await refused('events'), 'BAD_REQUEST');
  await ask('quiet');
  const again: unknown[] = [];
  const listening = ask('events', {}, ({ header }) => void again.push(header['event']));
  await ask('quiet');
  await listening;
  t.strictSame(again, ['added'], 'a later request gets the known scanners');
});

t.test('helper: verbs without a session, BAD_REQUEST; with one, answered', { skip }, async t => {
  const { ask, refused } = await nativeFor(t, 'flatbed feeder', 0, false);
  for (const verb of ['ready', 'select', 'describe', 'set', 'features', 'feature', 'scan'])
    t.equal(await refused(verb, { unit: 0, mode: 'memory' }), 'BAD_REQUEST', verb);
  t.equal(await refused('open'), 'NOT_FOUND');
  t.equal(await refused('open', { device: 'chair' }), 'NOT_FOUND');
  t.equal(await refused('nonsense'), 'UNKNOWN_VERB');
  await ask('cancel');
  await ask('close');
  await ask('open', { device: 'desk' });
  t.equal(await refused('open', { device: 'desk' }), 'BAD_REQUEST');
  await ask('ready');
  await ask('ready');
  t.match(await ask('select', { unit: 3 }), {
    units: [0, 3],
    unit: 3,
    resolutions: [
      [75, 75],
      [100, 100],
      [150, 150],
      [200, 200],
      [300, 300],
      [600, 600],
    ],
    duplex: false,
    loaded: false,
  });
  t.equal(await refused('select', { unit: 1 }), '-9929');
  t.equal(await refused('select'), 'BAD_REQUEST');
  t.equal(await refused('scan', { mode: 'thoughts' }), 'BAD_REQUEST');
  t.equal(await refused('scan', { mode: 'file', folder: '/tmp' }), 'BAD_REQUEST');
  t.match(
    await ask('set', { resolution: 301, depth: 16, pixelType: 1 }),
    { resolution: 75, depth: 8, pixelType: 1 },
    'unsupported settings are not accepted',
  );
  await ask('close');
  await ask('open', { device: 'desk' });
});

t.test('helper: during a scan, answers all other verbs', { skip }, async t => {
  const { ask, refused } = await nativeFor(t, 'feeder sensor', 3, true, { 'side-ms': '300' });
  const bands: Frame[] = [];
  let began = (): void => undefined;
  const first = new Promise<void>(resolve => (began = resolve));
  const scanning = ask('scan', { mode: 'memory', bandBytes: 8192 }, frame => void (bands.push(frame), began())).catch(
    (error: { status?: unknown }) => error.status,
  );
  t.equal(await refused('scan', { mode: 'memory' }), 'BAD_REQUEST');
  t.match(await ask('describe'), { unit: 3, loaded: true });
  await first;
  await ask('cancel');
  t.equal(await scanning, '-9924');
  const { header, data } = bands[0]!;
  t.match(header, { startRow: 0, offset: 0, width: 310, bytesPerRow: 930, components: 3, bigEndian: false });
  t.equal(data.length, (header['rows'] as number) * 930);
  t.ok(data.length <= 8192);
});

t.test('scan: bands of at most 1 MiB; ends after the requested pages', { skip }, async t => {
  const { ask } = await nativeFor(t, 'feeder sensor', 3);
  await ask('set', { resolution: 600 });
  let most = 0;
  let pages = 0;
  const status = await ask('scan', { mode: 'memory', bandBytes: 3_000_000, pages: 2 }, ({ header, data }) => {
    most = Math.max(most, data.length);
    if (header['startRow'] === 0 && header['offset'] === 0) pages++;
  }).catch((error: { status?: unknown }) => error.status);
  t.equal(status, '-9924');
  t.equal(pages, 2);
  t.equal(most, 1 << 20);
  t.match(await ask('describe'), { loaded: true }, 'the third sheet is still there');
});

t.test('helper: the service ends, the helper ends too, even in the middle of a scan', { skip }, async t => {
  const body = await bodyOf({ is: 'feeder sensor', files: { 'side-ms': '60000' } });
  t.teardown(() => body.dispose());
  await body.load(1);
  const child = spawn(simulation(true), [], { env: env(body.root), stdio: ['pipe', 'pipe', 'ignore'] });
  const gone = once(child, 'exit');
  const send = (id: number, verb: string, args: object = {}) =>
    child.stdin.write(`${JSON.stringify({ id, verb, args })}\n`);
  let id = 0;
  send(++id, 'browse');
  for await (const { header } of readFrames(child.stdout)) {
    if (header['id'] === undefined) continue;
    const refused = 'error' in header;
    if (id === 1 || (id === 2 && refused)) setTimeout(() => send(id, 'open', { device: 'desk' }), 30);
    if (id === 1) id = 2;
    else if (!refused && id === 2) send(++id, 'ready');
    else if (id === 3) {
      send(++id, 'scan', { mode: 'memory' });
      send(++id, 'describe');
    } else if (id === 5) break;
  }
  child.stdin.end();
  t.strictSame(await gone, [0, null]);
});
