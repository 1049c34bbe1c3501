/** What the installer for Windows is made of; needs no Windows. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';

type Row = readonly (string | number)[];
interface Table {
  readonly name: string;
  readonly rows: readonly Row[];
}

/** What the test uses of the set-up's modules, which have no types. */
interface Parts {
  installedFiles(tree: string): unknown;
  buildMsi(options: object): Promise<unknown>;
  steps(feature: string): unknown;
  product(options: object): unknown;
}

const part = async (name: string): Promise<Parts> =>
  (await import(new URL(`../../../setup/installers/${name}`, import.meta.url).href)) as Parts;
const rowsOf = (tables: readonly Table[], name: string): readonly Row[] =>
  tables.find(table => table.name === name)?.rows ?? [];

/** The least program with a version resource: one section, which holds the resources. */
function program(version: readonly [number, number, number, number], language: number): Buffer {
  const file = Buffer.alloc(0x400);
  const words = (at: number, ...values: readonly number[]): void =>
    values.forEach((value, index) => file.writeUInt32LE(value, at + 4 * index));
  file.write('MZ');
  words(0x3c, 0x40);
  file.write('PE\0\0', 0x40, 'latin1');
  file.writeUInt16LE(1, 0x46); // sections
  file.writeUInt16LE(0xf0, 0x54); // size of the optional header
  file.writeUInt16LE(0x20b, 0x58);
  words(0x58 + 112 + 16, 0x1000, 0x200);
  words(0x58 + 0xf0 + 8, 0x200, 0x1000, 0x200, 0x200);
  for (const [at, id, to] of [
    [0x200, 16, 0x8000_0018],
    [0x218, 1, 0x8000_0030],
    [0x230, 1033, 0x48],
  ] as const) {
    file.writeUInt16LE(1, at + 14);
    words(at + 16, id, to);
  }
  words(0x248, 0x1060, 0xc0);
  words(0x260 + 40, 0xfeef04bd, 0x1_0000, version[0] * 0x1_0000 + version[1], version[2] * 0x1_0000 + version[3]);
  file.write('Translation\0', 0x260 + 100, 'utf16le');
  file.writeUInt16LE(language, 0x260 + 124);
  return file;
}

t.test('MSI: a file that has a version is listed with it, and without a hash', async t => {
  const { installedFiles } = await part('windows/installedFiles.mjs');
  const tree = t.testdir();
  await mkdir(join(tree, 'lib'));
  await writeFile(join(tree, 'node.exe'), program([22, 23, 3, 65535], 1033));
  await writeFile(join(tree, 'plain.exe'), 'MZ, cut short');
  await writeFile(join(tree, 'lib', 'it.js'), 'x');
  const { files, tables } = installedFiles(tree) as { files: { key: string; path: string }[]; tables: Table[] };
  const keyOf = (path: string): string | undefined => files.find(file => file.path === path)?.key;
  const row = (path: string): Row | undefined => rowsOf(tables, 'File').find(([key]) => key === keyOf(path));
  t.same(row('node.exe')?.slice(3, 6), [0x400, '22.23.3.65535', '1033']);
  t.same(row('plain.exe')?.slice(3, 6), [13, '', '']);
  t.same(
    rowsOf(tables, 'MsiFileHash').map(([key]) => key),
    [keyOf('plain.exe'), keyOf('lib/it.js')],
  );
});

t.test('MSI: what only developers read is left out', async t => {
  const { installedFiles } = await part('windows/installedFiles.mjs');
  const tree = t.testdir();
  const kept = [
    'node.exe',
    'node_modules/@acme/its/lib/test/run.js',
    'node_modules/@platen/client/dist/client.d.ts',
    'node_modules/@platen/core/docs/guide.md',
    'node_modules/its/LICENSE',
    'node_modules/its/dist/docs/it.js',
    'node_modules/its/test.js',
    'npm/lib/commands/docs.js',
  ];
  const leftOut = [
    'node_modules/@acme/its/test/run.js',
    'node_modules/@platen/core/dist/it.d.ts',
    'node_modules/@platen/core/dist/it.js.map',
    'node_modules/its/.github/workflows/ci.yml',
    'node_modules/its/lib/it.mts',
    'node_modules/its/node_modules/other/benchmarks/run.js',
    'npm/docs/it.html',
    'npm/node_modules/its/examples/it.js',
  ];
  for (const path of [...kept, ...leftOut]) {
    await mkdir(join(tree, path, '..'), { recursive: true });
    await writeFile(join(tree, path), 'x');
  }
  const { files } = installedFiles(tree) as { files: { path: string }[] };
  t.same(files.map(file => file.path).sort(), kept.sort());
});

t.test('MSI: a pre-release is refused', async t => {
  const { buildMsi } = await part('msi.mjs');
  await t.rejects(buildMsi({ version: '1.2.0-beta.1' }), { message: /1\.2\.0-beta\.1.*1\.2\.3/ });
});

t.test('MSI: a Windows before 10 is refused before anything is written, by the value that it lacks', async t => {
  const { product, steps } = { ...(await part('windows/product.mjs')), ...(await part('windows/steps.mjs')) };
  const file = { key: 'F', component: 'C' };
  const about = { version: '1.2.3', website: '', service: file, desktop: file, command: file, count: 1 };
  const tables = product(about) as Table[];
  const conditions = rowsOf(tables, 'LaunchCondition').map(([condition]) => String(condition));
  t.ok(conditions.some(each => /^Installed OR .*\bWINDOWSMAJOR\b/.test(each)));
  const [, signature] = rowsOf(tables, 'AppSearch').find(([property]) => property === 'WINDOWSMAJOR') ?? [];
  const [, , key, name] = rowsOf(tables, 'RegLocator').find(([id]) => id === signature) ?? [];
  t.same([key, name], ['SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion', 'CurrentMajorVersionNumber']);
  const secure = rowsOf(tables, 'Property').find(([property]) => property === 'SecureCustomProperties')?.[1];
  t.match(secure, /WINDOWSMAJOR/, 'what the window found out counts for the part without one');
  for (const name of ['InstallExecuteSequence', 'InstallUISequence']) {
    const order = rowsOf((steps('F') as { tables: Table[] }).tables, name);
    const at = (action: string): number => Number(order.find(([each]) => each === action)?.[2]);
    t.ok(at('AppSearch') < at('LaunchConditions'), name);
  }
});

t.test('MSI: a repair takes who scans from the registry alone', async t => {
  const { steps } = await part('windows/steps.mjs');
  const { tables } = steps('F_service') as { tables: Table[] };
  const taken = rowsOf(tables, 'CustomAction').find(([name]) => name === 'PlatenOnlyPeopleBefore');
  t.same(taken?.slice(1, 4), [51, 'SCANPEOPLE', '[PEOPLEBEFORE]']);
  const when = rowsOf(tables, 'InstallExecuteSequence');
  const at = (name: string): Row | undefined => when.find(([action]) => action === name);
  t.equal(at('PlatenOnlyPeopleBefore')?.[1], 'Installed');
  t.ok(Number(at('AppSearch')?.[2]) < Number(at('PlatenOnlyPeopleBefore')?.[2]));
});
