/** The count of a run: what passes, fails, skips, crashes, says nothing or times out is counted as what it is. */
import { spawn } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { countLine, fileLines, missingLines, sourceOf } from './report.js';
import { tallyFile, tallyFiles, type FileEnd, type FileReport } from './tally.js';

const clone = fileURLToPath(new URL('../../..', import.meta.url));

/** @param lines of the file's TAP @param code with which it ended */
function tallyOf(lines: readonly string[], code = 0): FileReport {
  const { stream, report } = tallyFile('core/dist/a.test.js');
  stream.end(['TAP version 14', ...lines, ''].join('\n'));
  return report({ code, ms: 20 });
}

const passing = ['# Subtest: one', '    ok 1 - right', '    ok 2 - right', '    1..2', 'ok 1 - one'];
const failing = ['# Subtest: two', '    not ok 1 - wrong', '    1..1', 'not ok 2 - two'];

const cases: readonly [
  title: string,
  tap: readonly string[],
  code: number,
  passed: number,
  failed: number,
  skipped: number,
][] = [
  ['a test with two assertions is one', [...passing, '1..1'], 0, 1, 0, 0],
  [
    'a group is its tests',
    ['# Subtest: group', ...passing.map(line => `    ${line}`), '    1..1', 'ok 1 - group', '1..1'],
    0,
    1,
    0,
    0,
  ],
  ['a test that fails', [...passing, ...failing, '1..2'], 1, 1, 1, 0],
  ['a test skipped before it begins', ['ok 1 - one # SKIP no scanner', '1..1'], 0, 0, 0, 1],
  [
    'a test that skips itself',
    ['# Subtest: one', '    ok 1 - no zbar # SKIP', '    1..1', 'ok 1 - one', '1..1'],
    0,
    0,
    0,
    1,
  ],
  ['a test to do', ['ok 1 - one # TODO later', '1..1'], 0, 0, 0, 1],
  ['a file that skips with a reason', ['1..0 # not here'], 0, 0, 0, 1],
  ['a file of bare assertions is one test', ['ok 1 - right', 'ok 2 - right', '1..2'], 0, 1, 0, 0],
  ['a failed assertion beside tests', [...passing, 'not ok 2 - wrong', '1..2'], 1, 1, 1, 0],
  ['a failed assertion and the exit code 0', [...passing, 'not ok 2 - wrong', '1..2'], 0, 1, 1, 0],
  ['a file without a test', ['1..0 # no tests found'], 0, 0, 1, 0],
  ['a file that says nothing', [], 0, 0, 1, 0],
  ['a file that does not load', [], 1, 0, 1, 0],
  ['a file whose tests pass and which exits with a code', [...passing, '1..1'], 7, 1, 1, 0],
  ['a file that plans more than it runs', [...passing, '1..3'], 0, 1, 1, 0],
  ['a file that ends before its plan', passing, 0, 1, 1, 0],
  ['a file that skips and exits with a code', ['1..0 # not here'], 1, 0, 1, 0],
];

for (const [title, tap, code, passed, failed, skipped] of cases) {
  t.test(`tally: ${title}`, async t => t.same(tallyOf(tap, code).tally, { passed, failed, skipped }));
}

/** @returns what is told of each file, and those that are left @param lines of the TAP of a process of three files */
function sharedOf(lines: readonly string[], end: Omit<FileEnd, 'ms'>) {
  const told: string[] = [];
  const { stream, left } = tallyFiles(['a', 'b', 'c'], ({ file, tally }) => told.push(`${file}: ${countLine(tally)}`));
  stream.end(['TAP version 14', ...lines, ''].join('\n'));
  return { left: left({ ms: 20, ...end }), told };
}

const within = (file: string, lines: readonly string[], count: number, ok = true) => [
  `# Subtest: ${file}`,
  ...lines.map(line => `    ${line}`),
  `    1..${count}`,
  `${ok ? 'ok' : 'not ok'} - ${file}`,
];

t.test('tally of files in one process: each is told when it has ended', async t => {
  const lines = [
    ...within('a', passing, 1),
    ...within('b', passing, 1),
    ...within('c', ['ok 1 - one # SKIP not here'], 1),
  ];
  t.same(sharedOf([...lines, '1..3'], { code: 0 }), {
    left: [],
    told: ['a: 1 passed, 0 failed, 0 skipped', 'b: 1 passed, 0 failed, 0 skipped', 'c: 0 passed, 0 failed, 1 skipped'],
  });
});

t.test('tally of files in one process: after one that fails, the rest is left', async t => {
  const lines = [...within('a', passing, 1), ...within('b', [...passing, ...failing], 2, false)];
  t.same(sharedOf([...lines, '1..2'], { code: 1 }), {
    left: ['c'],
    told: ['a: 1 passed, 0 failed, 0 skipped', 'b: 1 passed, 1 failed, 0 skipped'],
  });
});

for (const [title, lines, end] of [
  [
    'a crash in a test',
    ['# Subtest: b', ...passing.slice(0, 2).map(line => `    ${line}`)],
    { code: null, signal: 'SIGSEGV' },
  ],
  ['an exit in a test', ['# Subtest: b', ...passing.slice(0, 2).map(line => `    ${line}`)], { code: 0 }],
  ['an end before the file says anything', [], { code: 7 }],
] as const) {
  t.test(`tally of files in one process: ${title} is that file's failure, the rest is left`, async t => {
    const { left, told } = sharedOf([...within('a', passing, 1), ...lines], end);
    t.same(left, ['c']);
    t.equal(told[0], 'a: 1 passed, 0 failed, 0 skipped');
    t.match(told[1], /^b: 0 passed, [1-9]/);
  });
}

t.test(
  'tally of files in one process: a file without a test failed; so did the last, if the process does not end well',
  async t => {
    t.same(sharedOf([...within('a', passing, 1), ...within('b', [], 0)], { code: 1 }), {
      left: ['c'],
      told: ['a: 1 passed, 0 failed, 0 skipped', 'b: 0 passed, 1 failed, 0 skipped'],
    });
    const lines = ['a', 'b', 'c'].flatMap(file => within(file, passing, 1));
    const { left, told } = sharedOf([...lines, '1..3'], { code: null, signal: 'SIGKILL', ended: 'It was silent.' });
    t.same(left, []);
    t.equal(told.at(-1), 'c: 0 passed, 1 failed, 0 skipped');
  },
);

t.test(
  'tally of files in one process: a stray error is told beside the test that it ended, and counted once',
  async t => {
    const reports: FileReport[] = [];
    const { stream, left } = tallyFiles(['a', 'b'], report => reports.push(report));
    stream.end(['TAP version 14', ...within('a', failing, 1, false), '1..1', ''].join('\n'));
    t.same(left({ code: 1, ms: 20, stderr: 'Error: stray\n    at a.ts:1' }), ['b']);
    t.same(
      reports.map(({ file, tally }) => [file, tally.failed]),
      [
        ['a', 1],
        ['a', 0],
      ],
    );
    t.match(fileLines(reports[1]!).join('\n'), /^FAIL .*\n.*the file\n.*Error: stray/);
  },
);

t.test('tally of files in one process: an assertion that comes too late is told', async t => {
  const reports: FileReport[] = [];
  const { stream, left } = tallyFiles(['a'], report => reports.push(report));
  stream.end(['TAP version 14', ...within('a', passing, 1), 'not ok - after the end', '1..2', ''].join('\n'));
  t.same(left({ code: 1, ms: 20 }), []);
  t.match(reports[1]?.told, [{ outcome: 'failed', assertions: [{ name: 'after the end' }] }]);
});

t.test('report: a file crashed, its exit code and output', async t => {
  const { report, stream } = tallyFile('core/dist/a.test.js');
  stream.end('');
  t.match(
    fileLines(report({ code: 1, ms: 20, stderr: 'Error: at load\n    at a.test.ts:3' })).join('\n'),
    /FAILED: the file\n +Error: at load\n +at a\.test\.ts:3\n.*exitCode: 1/,
  );
});

t.test('report: a failure has its titles, place and difference; a skip its reason', async t => {
  const lines = [
    ...passing,
    ...failing.slice(0, 2),
    '      ---',
    '      at:',
    '        fileName: core/src/a.test.ts',
    '        lineNumber: 7',
    '      diff: |',
    '        -2',
    '        +1',
    '      ...',
    ...failing.slice(2),
    'ok 3 - three # SKIP no scanner',
    '1..3',
  ];
  const text = fileLines(tallyOf(lines, 1)).join('\n');
  t.match(text, /^FAIL core\/src\/a\.test\.ts {2}\(1 passed, 1 failed, 1 skipped/);
  t.match(text, /skipped: three: no scanner/);
  t.match(text, /FAILED: two\n +wrong\n +core\/src\/a\.test\.ts:7\n +-2\n +\+1/);
});

t.test('report: many skips with one reason, one line', async t => {
  const lines = ['ok 1 - one # SKIP no feeder', 'ok 2 - two # SKIP no feeder', 'ok 3 - three # SKIP no glass', '1..3'];
  t.same(fileLines(tallyOf(lines)).slice(1), [
    '     skipped: one and 1 more: no feeder',
    '     skipped: three: no glass',
  ]);
});

t.test('report: a skip without a reason, as of t.skip(sentence), has its title as the reason', async t => {
  const sentence = 'needs wine, which this machine does not have';
  const report = tallyOf([`ok 1 - ${sentence} # SKIP`, '1..1']);
  t.same(fileLines(report).slice(1), [`     skipped: the file: ${sentence}`]);
  t.same(missingLines(report.told, {}).slice(1), ['  1 for wine']);
});

t.test('report: skips for each missing program, and what to install', async t => {
  const skip = (reason: string) => `ok - one # SKIP ${reason}`;
  const [wine, own] = [
    'needs wine, which this machine does not have',
    'needs /made/it, which this machine does not have',
  ];
  const { told } = tallyOf([skip(own), skip(wine), skip(wine), skip('no feeder'), '1..4']);
  t.same(missingLines(told, { wine: 'wine wine64' }).slice(1), [
    '  2 for wine: apt-get install wine wine64',
    '  1 for /made/it',
  ]);
  t.same(missingLines(told.slice(3), {}), []);
});

t.test('report: the count line, and the source of a compiled test', async t => {
  t.equal(countLine({ passed: 3, failed: 0, skipped: 2 }), '3 passed, 0 failed, 2 skipped');
  t.equal(sourceOf('plugins/format-png/dist/a/b.test.js'), 'plugins/format-png/src/a/b.test.ts');
  t.equal(sourceOf('test/dist/doctor/doctor.test.js'), 'test/doctor/doctor.test.ts');
});

t.test('runner: real files, the exit code and the last line', async t => {
  const root = t.testdir();
  const folder = join(root, 'core', 'dist');
  for (const each of ['core/dist', 'plugins', 'drivers']) mkdirSync(join(root, each), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{ "type": "module", "workspaces": ["core", "plugins/*"] }');
  symlinkSync(join(clone, 'node_modules'), join(root, 'node_modules'), 'junction');
  const head = "import t from 'tap';\n";
  writeFileSync(
    join(folder, 'good.test.js'),
    `${head}t.test('a', async t => t.ok(1)); t.test('b', { skip: 'not here' }, async t => t.ok(0));`,
  );
  const good = await runIn(root);
  t.equal(good.lastLine, '1 passed, 0 failed, 1 skipped');
  t.equal(good.code, 0, good.output);

  writeFileSync(
    join(folder, 'bad.test.js'),
    `${head}t.test('a', async t => t.equal(1, 2)); t.test('b', async t => t.ok(1));`,
  );
  writeFileSync(join(folder, 'crash.test.js'), `${head}t.test('a', async t => { t.ok(1); process.exit(0); });`);
  writeFileSync(join(folder, 'load.test.js'), "throw new Error('at load');");
  const bad = await runIn(root);
  t.equal(bad.lastLine, '2 passed, 3 failed, 1 skipped', bad.output);
  t.equal(bad.code, 1);

  const subset = await runIn(root, ['core/src/good.test.ts']);
  t.equal(subset.lastLine, '1 passed, 0 failed, 1 skipped', subset.output);
  const nothing = await runIn(root, ['core/src/none.test.ts']);
  t.equal(nothing.code, 1);
  t.match(nothing.output, /There is no test under core\/src\/none\.test\.ts/);
});

/** In a process of its own, which tap's variables of this run do not reach. */
async function runIn(
  root: string,
  args: readonly string[] = [],
): Promise<{ code: number | null; output: string; lastLine: string | undefined }> {
  const module = new URL('runTests.js', import.meta.url).href;
  const script = `const { runTests } = await import(${JSON.stringify(module)}); process.exitCode = await runTests(${JSON.stringify(root)}, ${JSON.stringify(args)});`;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^_?TAP|^NODE_OPTIONS$/.test(name)));
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = child;
  let out = '';
  let err = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => (out += chunk));
  stderr.setEncoding('utf8').on('data', (chunk: string) => (err += chunk));
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { code, output: out + err, lastLine: out.trimEnd().split('\n').at(-1) };
}
