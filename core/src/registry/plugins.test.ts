/** Plugins that change while the service runs. */
import { rename, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { recordingLog } from '@platen/conformance';
import t, { type Test } from 'tap';
import type { PluginEntry } from './entry.js';
import type { Entitle } from './entitlement.js';
import { LicenceError } from './entitlement.js';
import { openPlugins, type Around } from './plugins.js';

const entry = (use: string, more: Partial<PluginEntry> = {}): PluginEntry => ({
  use,
  enabled: true,
  required: false,
  ...more,
});

/** What the plugins of these tests did: `setup a`, `close a`, `close driver a`. */
const did = ((globalThis as { platenDid?: string[] }).platenDid ??= []);
const doings = (): string[] => did.splice(0);

const options = `{ type: 'object', properties: { mark: { type: 'string' }, fails: { type: 'boolean' } } }`;
/** A plugin that says what is done with it. @param brings in terms of `options` */
const code = (name: string, brings = '', more = ''): string => `
  const did = what => void globalThis.platenDid.push(what + ' ${name}');
  export default {
    name: '${name}', api: 1, optionsSchema: ${options}, ${more}
    setup({ options }) {
      if (options.fails) throw new Error('it does not work');
      did('setup');
      return { close: async () => did('close'), ${brings} };
    },
  };`;
const format = (name: string): string =>
  `formats: [{ name: '${name}', aliases: [], mimeType: 'image/${name.toLowerCase()}', encode: async () => options.mark }]`;
const driver = (id: string): string =>
  `drivers: [{ id: '${id}', async *devices() {}, open: async () => undefined, close: async () => did('close driver of') }]`;

/** Changes drivers at once, as if nobody scanned. */
function around(): Around & { readonly left: string[][] } {
  const left: string[][] = [];
  const act: Around = async (leaving, change) => {
    left.push(leaving.map(({ id }) => id));
    await change();
  };
  return Object.assign(act, { left });
}

async function opened(
  t: Test,
  files: Readonly<Record<string, string>>,
  uses: readonly PluginEntry[],
  entitle?: Entitle,
) {
  const folder = t.testdir(Object.fromEntries(Object.entries(files).map(([name, text]) => [`${name}.mjs`, text])));
  const log = recordingLog();
  const plugins = await openPlugins({
    entries: uses,
    folders: [folder],
    dataDir: folder,
    log: () => log,
    ...(entitle && { entitle }),
  });
  doings();
  const write = async (name: string, text: string): Promise<void> => {
    const file = join(folder, `${name}.mjs`);
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  return { plugins, log, write };
}

const never = { signal: new AbortController().signal };

const states = (reports: readonly { use: string; state: string }[]): string =>
  reports.map(({ use, state }) => `${use.slice(2, -4)} ${state}`).join(', ');

t.test('plugins: one is switched off and on; what is as it was is not touched', async t => {
  const files = { a: code('a', format('Aa')), b: code('b', format('Bb')) };
  const { plugins } = await opened(t, files, [entry('./a.mjs'), entry('./b.mjs')]);
  const { registry } = plugins;
  const names = (): string[] => registry.formats.map(({ name }) => name);
  await plugins.change([entry('./a.mjs'), entry('./b.mjs', { enabled: false })], around());
  await settled();
  t.strictSame(names(), ['Aa']);
  t.strictSame(doings(), ['close b']);
  t.equal(states(plugins.reports), 'a loaded, b disabled');
  await plugins.change([entry('./b.mjs'), entry('./a.mjs')], around());
  t.strictSame(names(), ['Bb', 'Aa'], 'in the new order');
  t.strictSame(doings(), ['setup b']);
  await plugins.change([entry('./b.mjs'), entry('./a.mjs')], around());
  t.strictSame(doings(), [], 'the same again');
  await plugins.close();
  t.strictSame(doings().sort(), ['close a', 'close b']);
});

t.test('plugins: a scan keeps what it began with until it ends, over several changes', async t => {
  const { plugins } = await opened(t, { a: code('a', format('Aa')) }, [entry('./a.mjs', { options: { mark: 'one' } })]);
  const scan = plugins.registry.hold();
  await plugins.change([entry('./a.mjs', { options: { mark: 'two' } })], around());
  await plugins.change([entry('./a.mjs', { enabled: false })], around());
  await settled();
  t.strictSame(doings(), ['setup a'], 'the first one is not closed, and the second one waits with it');
  t.equal(await scan.software.formats[0]?.encode({} as never, {} as never, never), 'one');
  t.strictSame(plugins.registry.formats, []);
  scan.end();
  await settled();
  t.strictSame(doings(), ['close a', 'close a']);
});

t.test('plugins: a driver is closed before its next one is set up', async t => {
  const files = { d: code('d', driver('scanner')), a: code('a', format('Aa')) };
  const { plugins } = await opened(t, files, [entry('./d.mjs'), entry('./a.mjs')]);
  const change = around();
  await plugins.change([entry('./d.mjs', { options: { mark: 'x' } }), entry('./a.mjs')], change);
  t.strictSame(doings(), ['close driver of d', 'close d', 'setup d']);
  t.strictSame(change.left, [['scanner']]);
  await plugins.change([entry('./a.mjs', { options: {} }), entry('./d.mjs', { options: { mark: 'x' } })], change);
  t.strictSame(change.left.at(-1), [], 'another plugin is none of its business');
  await plugins.close();
});

t.test('plugins: options that are refused, or a setup that fails: the one before goes on', async t => {
  const files = { d: code('d', driver('scanner')), a: code('a', format('Aa')) };
  const before = [entry('./d.mjs'), entry('./a.mjs', { options: { mark: 'one' } })];
  const { plugins, log } = await opened(t, files, before);
  await plugins.change(
    [entry('./d.mjs', { options: { fails: true } }), entry('./a.mjs', { options: { mark: 5 } })],
    around(),
  );
  await settled();
  t.equal(states(plugins.reports), 'd loaded, a loaded');
  t.match(plugins.reports, [{ stale: /it does not work/ }, { stale: /mark/ }]);
  t.equal(await plugins.registry.formats[0]?.encode({} as never, {} as never, never), 'one');
  t.equal(plugins.registry.drivers.length, 1);
  t.strictSame(
    doings(),
    ['close driver of d', 'close d', 'setup d'],
    'the driver is set up again with its own options',
  );
  t.ok(log.lines.some(line => line.startsWith('error: ')));
  await plugins.change(before, around());
  t.notOk(plugins.reports.some(({ stale }) => stale !== undefined));
  await plugins.close();
});

t.test('plugins: one that is added and cannot be loaded is left out, also if it is required', async t => {
  const { plugins } = await opened(t, { a: code('a', format('Aa')) }, [entry('./a.mjs')]);
  await plugins.change([entry('./a.mjs'), entry('./gone.mjs', { required: true })], around());
  t.equal(states(plugins.reports), 'a loaded, gone refused');
  await plugins.close();
});

t.test('plugins: two with the same contribution: the first one in the new order has it', async t => {
  const files = { a: code('a', format('Xx')), b: code('b', format('Xx')) };
  const { plugins } = await opened(t, files, [entry('./a.mjs', { options: { mark: 'a' } }), entry('./b.mjs')]);
  const marks = async (): Promise<unknown[]> =>
    Promise.all(plugins.registry.formats.map(each => each.encode({} as never, {} as never, never)));
  t.equal(states(plugins.reports), 'a loaded, b refused');
  await plugins.change([entry('./a.mjs', { enabled: false }), entry('./b.mjs', { options: { mark: 'b' } })], around());
  t.strictSame(await marks(), ['b']);
  await plugins.change(
    [entry('./a.mjs', { options: { mark: 'a' } }), entry('./b.mjs', { options: { mark: 'b' } })],
    around(),
  );
  t.strictSame(await marks(), ['a']);
  await plugins.close();
});

t.test('plugins: a licence that ends takes its plugin out at the next change, a new one brings it back', async t => {
  const premium = `premium: { publicKey: 'key', provides: [{ kind: 'format', id: 'Aa' }] },`;
  let isValid = true;
  const entitle: Entitle = async () => {
    if (!isValid) throw new LicenceError('its licence ended on 2026-01-31', { hasEnded: true });
    return { customer: 'Acme', expires: new Date(0) };
  };
  const { plugins } = await opened(t, { a: code('a', format('Aa'), premium) }, [entry('./a.mjs')], entitle);
  isValid = false;
  await plugins.change([entry('./a.mjs')], around());
  await settled();
  t.equal(states(plugins.reports), 'a unlicensed');
  t.match(plugins.registry.withheld, [{ kind: 'format', id: 'Aa', hasEnded: true }]);
  t.strictSame(doings(), ['close a']);
  isValid = true;
  await plugins.change([entry('./a.mjs')], around());
  t.equal(states(plugins.reports), 'a loaded');
  t.strictSame(plugins.registry.withheld, []);
  await plugins.close();
});

const canImportAgain = 'registerHooks' in nodeModule;

t.test('plugins: changed code, and changed code that is broken', async t => {
  const first = { a: `import { mark } from './part.mjs';\n${code('a', format('Aa').replace('options.mark', 'mark'))}` };
  const { plugins, write } = await opened(t, { ...first, part: 'export const mark = 1;' }, [entry('./a.mjs')]);
  const mark = (): Promise<unknown> => plugins.registry.formats[0]!.encode({} as never, {} as never, never);
  t.equal(await mark(), 1);
  await write('part', 'export const mark = 2;');
  await write('a', `${first.a}\n`);
  await plugins.change([entry('./a.mjs')], around());
  await settled();
  if (!canImportAgain) {
    t.match(plugins.reports, [{ state: 'loaded', stale: /restart/ }]);
    t.equal(await mark(), 1);
    await plugins.close();
    return;
  }
  t.equal(await mark(), 2, 'with the modules that it imports');
  t.strictSame(doings(), ['setup a', 'close a']);
  await write('a', 'export default {');
  await plugins.change([entry('./a.mjs')], around());
  t.match(plugins.reports, [{ state: 'loaded', stale: /imported/ }]);
  t.equal(await mark(), 2);
  t.strictSame(doings(), []);
  await plugins.close();
});

t.test('plugins: 100 changes leave no handle and close what they set up', async t => {
  const files = { a: code('a', format('Aa')), d: code('d', driver('scanner')) };
  const { plugins } = await opened(t, files, [entry('./a.mjs'), entry('./d.mjs')]);
  for (let round = 0; round < 100; round++) {
    const scan = round % 3 === 0 ? plugins.registry.hold() : undefined;
    const mark = { options: { mark: String(round) } };
    await plugins.change(
      [entry('./a.mjs', mark), entry('./d.mjs', round % 2 === 0 ? mark : { enabled: false })],
      around(),
    );
    scan?.end();
  }
  await plugins.close();
  const all = doings();
  const count = (what: string): number => all.filter(each => each === what).length;
  t.equal(count('setup a'), 100);
  t.equal(count('close a'), 101);
  t.equal(count('close d'), count('setup d') + 1);
  t.equal(count('close driver of d'), count('close d'));
});

/** What waits for the end of scans has had its turn. */
const settled = (): Promise<void> => new Promise(resolve => setImmediate(() => setImmediate(resolve)));

t.test('plugins: an isolated one keeps its licence over a change, and goes when that has ended', async t => {
  const clock = { now: () => now, monotonic: () => 0, after: () => () => undefined };
  let now = 0;
  let loads = 0;
  const folder = t.testdir({ 'i.mjs': '' });
  const log = recordingLog();
  const plugins = await openPlugins({
    entries: [entry('./i.mjs', { isolate: true })],
    folders: [folder],
    dataDir: folder,
    log: () => log,
    clock,
    isolate: async ({ use }) => {
      loads++;
      if (now >= 1000) return { report: { use, state: 'unlicensed', provides: [] } };
      const entitlement = { customer: 'Acme', expires: new Date(1000) };
      const contributions = {
        formats: [{ name: 'Ii', aliases: [], mimeType: 'image/ii', encode: async () => new Uint8Array() }],
      };
      return { report: { use, state: 'loaded', provides: [], entitlement }, contributions };
    },
  });
  const same = [entry('./i.mjs', { isolate: true })];
  await plugins.change(same, around());
  t.match(plugins.reports, [{ state: 'loaded', entitlement: { customer: 'Acme' } }]);
  t.equal(loads, 1, 'its process goes on');
  now = 1000;
  await plugins.change(same, around());
  t.match(plugins.reports, [{ state: 'unlicensed' }]);
  t.equal(loads, 2);
  await plugins.close();
});
