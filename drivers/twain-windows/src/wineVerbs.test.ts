/** The helper: its refusals, its end, and both versions of the data source manager. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nullLog } from '@platen/core/plugin';
import t from 'tap';
import type { Helper } from '@platen/driver-kit';
import { PT } from './protocol/constants.js';
import { firstWrongRow } from './picture.test.kit.js';
import { body, open, scanned } from './rig.test.kit.js';
import type { Bits } from './settings.js';
import { needsWine, sourceName, startWine, type Wine } from './wine.test.kit.js';

const { XFERDONE, IMAGEINFO, XFERREADY } = {
  XFERDONE: 6,
  IMAGEINFO: { dg: 2, dat: 0x101, msg: 1, bytes: Buffer.alloc(42).toString('base64') },
  XFERREADY: 'xferready',
};
const callOf =
  (helper: Helper) =>
  async (verb: string, args: object = {}) =>
    (await helper.call(verb, args, { deadlineMs: 20_000 })).header;

/** The error instead of an answer. */
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A helper with an open source, and a function that calls it. */
async function opened(wine: Wine, file: string, bits: Bits) {
  const helper = wine.helpers(file)(bits, nullLog);
  const call = callOf(helper);
  const manager = await call('openDsm', { product: 'Platen' });
  const source = await call('openSource', { product: sourceName(bits) });
  return { helper, call, manager, source };
}

/** gyp's result for Visual Studio from binding.gyp, before it writes projects, which it does only on Windows. */
async function forVisualStudio(binding: string, arch: string): Promise<string> {
  const gyp = dirname(createRequire(import.meta.url).resolve('node-gyp/package.json'));
  const headers = fileURLToPath(new URL('native/nodedir', import.meta.resolve('@platen/driver-kit/package.json')));
  const defined = {
    OS: 'win',
    target_arch: arch,
    library: 'shared_library',
    standalone_static_library: '0',
    node_root_dir: headers,
    node_gyp_dir: gyp,
    node_lib_file: 'node.lib',
    module_root_dir: '.',
    node_engine: 'v8',
  };
  execFileSync(
    'python3',
    [
      join(gyp, 'gyp', 'gyp_main.py'),
      binding,
      '-f',
      'gypd',
      '--depth=.',
      '--no-parallel',
      '-I',
      join(gyp, 'addon.gypi'),
      '-I',
      join(headers, 'include', 'node', 'common.gypi'),
      ...Object.entries(defined).map(([name, value]) => `-D${name}=${value}`),
    ],
    { cwd: dirname(binding), stdio: 'pipe' },
  );
  return readFile(`${binding}d`, 'utf8');
}

if (needsWine(t)) {
  const wine = await startWine();
  t.teardown(() => wine.dispose());
  const rig = (bits: Bits) =>
    body(
      { sheets: 3, resolutions: 75 },
      { helpers: wine.helpers, path: wine.path, deviceId: sourceName(bits), options: { bits: [bits] } },
    );

  await t.test('verbs: in a wrong state or with wrong arguments, refused; the helper continues', async t => {
    const it = await rig(64);
    t.teardown(() => it.dispose());
    const helper = wine.helpers(it.file)(64, nullLog);
    t.teardown(() => helper.close());
    const call = callOf(helper);
    for (const verb of ['closeDsm', 'sources', 'closeSource', 'enable', 'disable'])
      t.match(await refusal(call(verb)), { status: 'STATE' }, `${verb} before the manager is open`);
    t.match(await refusal(call('native', { maxBytes: 1 })), { status: 'STATE' });
    t.match(await refusal(call('openSource', { product: 'x' })), { status: 'STATE' });
    t.match(await refusal(call('openSource')), { status: 'INVAL', message: /"product" must be a string/ });
    t.match(await call('openDsm', {}), { rc: 0, dsm: /twain_32\.dll$/, dsm2: false, bits: 64 });
    t.match(await refusal(call('openDsm', {})), { status: 'STATE' });
    t.match(await call('openSource', { product: 'nobody' }), { rc: 1, cc: 3 }, 'NODS');
    t.match(await call('openSource', { product: sourceName(64) }), { rc: 0, callback: false });
    t.match(await refusal(call('cap', { msg: 1, cap: -1 })), { status: 'INVAL' });
    t.match(await refusal(call('cap', { msg: 6, cap: 1, container: '*' })), { status: 'INVAL', message: /base64/ });
    t.match(await refusal(call('triplet', { dest: 'nobody', dg: 1, dat: 8, msg: 1 })), { status: 'INVAL' });
    t.match(await refusal(call('strips', { bytes: 0 })), { status: 'INVAL' });
    t.match(
      await call('cap', { msg: 1, cap: 0x7fff }),
      { rc: 1, cc: 13 },
      'CAPUNSUPPORTED is not an error of the helper',
    );
    t.match(await call('triplet', { dest: 'source', ...IMAGEINFO }), { rc: 1, cc: 11 }, 'SEQERROR');
    t.match(await call('wait', { ms: 1 }), { event: 'none' });
  });

  await t.test('Visual Studio: each helper is built for the platform requested from MSBuild', async t => {
    const folder = t.testdir({
      'binding.gyp': await readFile(new URL('../native/binding.gyp', import.meta.url), 'utf8'),
    });
    const [wide, narrow] = [
      await forVisualStudio(join(folder, 'binding.gyp'), 'x64'),
      await forVisualStudio(join(folder, 'binding.gyp'), 'ia32'),
    ];
    t.match(wide, /'msvs_configuration_platform': 'x64'/);
    t.notMatch(narrow, /msvs_configuration_platform/, 'Win32 by default');
    for (const project of [wide, narrow]) t.notMatch(project, /win_delay_load_hook\.cc|DelayLoadDLLs/, 'no addon code');
  });

  await t.test('interrupt: ends the wait at once, but not the next one', async t => {
    const it = await rig(32);
    t.teardown(() => it.dispose());
    const { helper, call } = await opened(wine, it.file, 32);
    t.teardown(() => helper.close());
    await call('interrupt');
    t.match(await call('wait', { ms: 1 }), { event: 'none' }, 'no wait was running');
    it.set({ fault: 'neverready' });
    t.match(await call('enable'), { rc: 0 });
    const waiting = call('wait', { ms: 20_000 });
    let over = false;
    void waiting.then(() => (over = true));
    while (!over) await call('interrupt');
    t.match(await waiting, { event: 'interrupted' });
    t.match(await call('disable'), { rc: 0 });
  });

  await t.test("source: a name in the system's code page, WM_QUIT posted, opened and continues", async t => {
    const it = await rig(64);
    t.teardown(() => it.dispose());
    it.set({ name: 'Büro', quits: 1 });
    const helper = wine.helpers(it.file)(64, nullLog);
    t.teardown(() => helper.close());
    const call = callOf(helper);
    await call('openDsm', {});
    const names: unknown[] = [];
    await helper.call(
      'sources',
      {},
      { deadlineMs: 20_000, onMore: ({ header }) => void ('product' in header && names.push(header['product'])) },
    );
    t.strictSame(names, ['Büro 64']);
    t.match(await call('openSource', { product: 'Büro 64' }), { rc: 0 });
    for (let i = 0; i < 2; i++) {
      it.set({ fault: 'neverready' });
      t.match([await call('enable'), await call('disable')], [{ rc: 0 }, { rc: 0 }]);
    }
  });

  for (const bits of [64, 32] as const) {
    await t.test(
      `end of stdin, ${bits} bits: in the middle of a page, the transfer is ended and everything is closed`,
      async t => {
        const it = await rig(bits);
        t.teardown(() => it.dispose());
        it.set({ mechs: 'memory', rows: 10 });
        const { helper, call } = await opened(wine, it.file, bits);
        t.match(await call('enable'), { rc: 0 });
        t.match(await call('wait', { ms: 20_000 }), { event: XFERREADY });
        t.match(await call('strips', { bytes: 65_536, maxStrips: 2 }), { rc: 0 });
        await helper.close();
        const said = await it.log();
        t.strictSame(
          said.slice(-5).map(line => line.replace(/ cap=.*| show=.*/, '')),
          [
            '1 5 701 rc=0 cc=0 state=6',
            '1 5 7 rc=0 cc=0 state=5',
            '1 9 501 rc=0 cc=0 state=4',
            'closed unfreed=0',
            '1 3 402 rc=0 cc=0 state=3',
          ],
        );
      },
    );
  }

  await t.test("manager of version 2: sources call back, and memory is the manager's", async t => {
    await wine.installManager2();
    for (const bits of [64, 32] as const) {
      const it = await rig(bits);
      t.teardown(() => it.dispose());
      const { helper, call, manager, source } = await opened(wine, it.file, bits);
      t.match(
        [manager, source],
        [
          { dsm: /TWAINDSM\.dll$/, dsm2: true },
          { rc: 0, callback: true },
        ],
        `${bits} bits`,
      );
      await call('enable');
      t.match(await call('wait', { ms: 20_000 }), { event: XFERREADY });
      t.match(await call('native', { maxBytes: 1e8 }), { rc: XFERDONE });
      await helper.close();
      it.set({ sheets: 2, fed: 0, callbacks: 2 });
      const other = await opened(wine, it.file, bits);
      await other.call('enable');
      t.match(
        [other.source, await other.call('wait', { ms: 5000 })],
        [{ callback: true }, { event: XFERREADY }],
        'a source that claims to call back and does not',
      );
      await other.helper.close();
      it.set({ sheets: 2, fed: 0, callbacks: 1 });
      const session = await open(it);
      for (const transferMode of ['Native', 'Buffered'] as const) {
        it.set({ sheets: 1, fed: 0 });
        const { pages, message } = await scanned(session, {
          transferMode,
          colorMode: 'Color',
          resolution: 75,
          duplexMode: 'DuplexLongEdge',
        });
        t.strictSame(
          pages.map((page, side) => firstWrongRow(page, { sheet: 1, side: side as 0 | 1 }, PT.RGB)),
          [-1, -1],
          `${bits} bits, ${transferMode}: ${message}`,
        );
      }
      await session.close();
      t.strictSame(
        (await it.log()).filter(line => line.startsWith('closed ') && line !== 'closed unfreed=0'),
        [],
      );
      t.notOk((await it.log()).includes('parent that hears no broadcast'), 'the sources’ parent is a top-level window');
    }
  });
}
