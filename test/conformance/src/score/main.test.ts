/** The program: its command line, its exit codes, and the reports of a package. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { main } from './main.js';
import type { Report } from './report.js';

const conformance = new URL('../conformance.js', import.meta.url).href;

/** Suites of the fake format, and of one that breaks a promise; `<&>` in their names. */
const good = `import { fakeFormat } from '${conformance}';
export default [{ kind: 'format', name: 'Acme <&> "PNG" | ]]>', features: { lossy: false, decodes: false, readsBack: false, bilevelDepth: 1 },
  make: async () => ({ format: fakeFormat() }), gaps: { 'abort-honoured': 'no <cancel> | yet' } }];`;
const bad = good.replace(
  'make: async () => ({ format: fakeFormat() })',
  `make: async () => { throw new Error('<b>no & "port"\\u001b[31m') }`,
);

const manifest = { name: '@acme/png', version: '1.2.3', type: 'module', platen: { conformance: './suites.js' } };

const root = t.testdir({});
let made = 0;

/** A new folder each time: Node imports a module once. */
function packageOf(suites: string | undefined, its: object = manifest): string {
  const folder = join(root, String(++made));
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify(its));
  if (suites !== undefined) writeFileSync(join(folder, 'suites.js'), suites);
  return folder;
}

async function run(cwd: string, ...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await main(args, { cwd, out: text => void out.push(text), err: text => void err.push(text) });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

t.test('main: what cannot be run, exit code 2 and what to write', async t => {
  const wrong: readonly (readonly [what: string, folder: string, args: readonly string[], says: RegExp])[] = [
    ['unknown folder', packageOf(good), ['./nowhere'], /nowhere/],
    ['unknown package', packageOf(good), ['@acme/none'], /@acme\/none/],
    ['no package.json', root, ['.'], /package\.json/],
    ['no suites named', packageOf(good, { name: 'a' }), [], /"platen": \{ "conformance"/],
    ['module missing', packageOf(undefined), [], /suites\.js.*Build/],
    ['module throws', packageOf('throw new Error("libacme")'), [], /libacme/],
    ['no default export', packageOf('export const a = 1;'), [], /defineSuites/],
    ['no list', packageOf('export default {};'), [], /defineSuites/],
    ['unknown kind', packageOf('export default [{ kind: "scanner" }];'), [], /"scanner".*driver, format/],
    ['no name', packageOf('export default [{ kind: "driver" }];'), [], /name/],
    ['no make', packageOf('export default [{ kind: "driver", name: "A" }];'), [], /make/],
    ['gap without a case', packageOf(good.replace('abort-honoured', 'abort')), [], /abort/],
    ['unknown option', packageOf(good), ['--jason', 'x'], /--jason/],
    ['unknown case', packageOf(good), ['--only', '12'], /"12".*content/],
    ['two packages', packageOf(good), ['.', 'b'], /b/],
    ['no number', packageOf(good), ['--at-least', 'all'], /0 to 100/],
    ['both', packageOf(good), ['--at-least', '1', '--only', 'names'], /--only/],
    ['two on standard output', packageOf(good), ['--json', '-', '--html', '-'], /standard output/],
  ];
  for (const [what, folder, args, says] of wrong) {
    const { code, err } = await run(folder, ...args);
    t.equal(code, 2, what);
    t.match(err, says, what);
  }
});

t.test('main: two suites of one name, refused', async t => {
  const folder = packageOf(`const s = { kind: 'format', name: 'A', features: {}, make() {} }; export default [s, s];`);
  t.match(await run(folder), { code: 2, err: /"A"/ });
});

t.test('main: no case failed, 0; score below --at-least, 1; a case failed, 1', async t => {
  const folder = packageOf(good);
  const passed = await run(folder, '--only', 'calls');
  t.equal(passed.code, 0);
  t.match(passed.out, /There is no score/);
  t.equal((await run(folder, '--at-least', '100')).code, 1);
  t.equal((await run(packageOf(bad), '--only', 'calls')).code, 1);
});

t.test('main: an installed package, by its name', async t => {
  const folder = join(root, 'installation');
  const installed = join(folder, 'node_modules', '@acme', 'png');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  t.match(await run(folder, '@acme/png'), { code: 2, err: /source folder/ });
  writeFileSync(join(installed, 'suites.js'), good);
  t.equal((await run(folder, '@acme/png', '--only', 'names')).code, 0);
});

t.test('main: --help and --version', async t => {
  t.match(await run('.', '--help'), { code: 0, out: /--junit FILE/ });
  t.match(await run('.', '--version'), { code: 0, out: /^\d+\.\d+\.\d+/ });
});

t.test('main: each report, of what failed, is a gap, and passed; nothing of it is markup', async t => {
  const folder = packageOf(bad.replace('];', `, ${/\[(.*)\]/s.exec(good)?.[1]?.replace('"PNG"', 'good')}];`));
  const files = ['json', 'junit', 'html', 'markdown'].flatMap(form => [`--${form}`, `r.${form}`]);
  const { out, code } = await run(folder, '--only', 'calls', ...files);
  t.equal(code, 1);
  const read = (form: string) => readFileSync(join(folder, `r.${form}`), 'utf8');

  const report = JSON.parse(read('json')) as Report;
  t.match(report, {
    package: { name: '@acme/png', version: '1.2.3' },
    versions: { node: process.versions.node, core: /^\d/, conformance: /^\d/ },
    only: 'calls',
  });
  t.notHas(report, 'score');
  const outcomes = report.cases.map(each => each.outcome);
  for (const each of ['pass', 'fail', 'gap']) t.ok(outcomes.includes(each as 'pass'), each);
  t.match(out, /✗ Ends, and runs beside others/);
  t.match(out, /no <cancel> \| yet/);

  const junit = read('junit');
  t.equal(count(junit, /<testcase /g), report.cases.length);
  t.equal(count(junit, /<failure /g), outcomes.filter(each => each === 'fail').length);
  t.equal(count(junit, /<skipped /g), outcomes.filter(each => each === 'gap').length);
  t.equal(count(junit, /<testsuite /g), 2);
  t.match(junit, /gap: no &lt;cancel&gt; \| yet/);

  const html = read('html');
  t.notMatch(html, /<script|<b>|<cancel>|<&>| src=| href=/);
  t.match(html, /&lt;b&gt;no &amp; &quot;port&quot;/);

  const markdown = read('markdown');
  t.notMatch(markdown, /<b>|<cancel>/);
  t.match(markdown, /no &lt;cancel&gt; \\\| yet/);
  for (const text of [junit, html, markdown]) t.notOk(text.includes('\u001b'), 'no colours of a terminal');
});

t.test('main: a report on standard output, nothing else there', async t => {
  const { out, err } = await run(packageOf(good), '--only', 'names', '--json', '-');
  t.type(JSON.parse(out), 'object');
  t.match(err, /There is no score/);
});

t.test('main: report that cannot be written, exit code 2', async t => {
  const { code, err } = await run(packageOf(good), '--only', 'names', '--json', 'no/such/folder/r.json');
  t.equal(code, 2);
  t.match(err, /r\.json/);
});

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
