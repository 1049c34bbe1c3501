/** `npm run figures [-- CLONE]`: prints figures about the sources of a clone, this one or another. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root as own } from './step.mjs';

const root = resolve(process.argv[2] ?? own);

const isTest = path => /^test\/(?!conformance\/)|\.test\./.test(path);
const isSuite = path => path.startsWith('test/conformance/');
const isSimulation = path => /\/(?:simulation|testBackend|test)[^/]*\//.test(path);
const native = /\.(?:c|cc|cpp|h|hpp|m|mm)$/;

/** Kinds of files. Simulations are native programs that stand in for a system or a scanner. */
const kinds = {
  'product TypeScript': path => path.endsWith('.ts') && !isTest(path) && !isSuite(path),
  'published suites': path => path.endsWith('.ts') && !isTest(path) && isSuite(path),
  native: path => native.test(path) && !isSimulation(path),
  simulations: path => native.test(path) && isSimulation(path),
  'tests, TypeScript': path => path.endsWith('.ts') && isTest(path),
  'css, html, js': path => /\.(?:css|html|js|mjs|cjs)$/.test(path),
  Markdown: path => path.endsWith('.md'),
};
const kindOf = path => Object.keys(kinds).find(kind => kinds[kind](path));

/** Parameters of a scan, by their names in the code: a new one touches as many files. */
const parameters = {
  'an adjustment': /autoCrop|\bcrop\b/i,
  'a control': /transfer-?mode/i,
  'a control that software can do as well': /\bcontrast\b/,
};
/**
 * Matches lines that pass a parameter on; code that implements it is not counted. For the transfer mode that is the
 * desktop application, which has its default.
 */
const carriers = /^(?:core|server(?!\/src\/(?:config|host)\/)|clients|drivers\/(?:kit|remote))\//;

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
const sources = tracked
  .filter(path => path !== '' && existsSync(join(root, path)) && kindOf(path))
  .map(path => ({ path, kind: kindOf(path), lines: linesOf(path) }));

function linesOf(path) {
  return readFileSync(join(root, path), 'utf8').replace(/\n$/, '').split('\n');
}

const sum = numbers => numbers.reduce((total, each) => total + each, 0);
const largest = (all, of) => all.reduce((best, each) => (of(each) > of(best) ? each : best));
const widestIn = ({ lines }) => lines.reduce((width, line) => Math.max(width, line.length), 0);

function sizes() {
  console.log(
    table(
      Object.keys(kinds)
        .filter(kind => sources.some(each => each.kind === kind))
        .map(kind => {
          const of = sources.filter(each => each.kind === kind);
          const lengths = of.map(({ lines }) => lines.length).sort((a, b) => a - b);
          const wider = columns => sum(of.map(({ lines }) => lines.filter(line => line.length > columns).length));
          const longest = largest(of, ({ lines }) => lines.length);
          return {
            kind,
            files: of.length,
            lines: sum(lengths),
            median: lengths[lengths.length >> 1],
            p95: lengths[Math.floor(lengths.length * 0.95)],
            longest: longest.lines.length,
            widest: widestIn(largest(of, widestIn)),
            '> 120': wider(120),
            '> 160': wider(160),
            'the longest': longest.path,
          };
        }),
    ),
  );
}

/** @returns the rows under their keys, numbers right-aligned */
function table(rows) {
  const columns = Object.keys(rows[0]).map(key => {
    const cells = [key, ...rows.map(row => String(row[key]))];
    const width = Math.max(...cells.map(cell => cell.length));
    return cells.map(cell => (typeof rows[0][key] === 'number' ? cell.padStart(width) : cell.padEnd(width)));
  });
  return columns[0]
    .map((_, index) =>
      columns
        .map(column => column[index])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** @returns the output of a tool of this clone about `root` */
function runTool(program, args) {
  const tool = join(own, 'node_modules', program);
  return execFileSync(process.execPath, [tool, ...args], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function list(title, paths) {
  console.log([`${title}: ${paths.length}`, ...paths].join('\n  '));
}

/** Copies in product code found by jscpd: exact ones, and ones with other names and values. */
function copies() {
  const folders = ['core', 'plugins', 'drivers', 'server', 'clients'].filter(each => existsSync(join(root, each)));
  const options = [
    '--format',
    'typescript,javascript,c,cpp,objectivec',
    '--ignore',
    '**/*.test.*,**/testing/**,**/simulation/**,**/samples/**,**/fixtures/**',
    '--min-tokens',
    '60',
    '--min-lines',
    '5',
    '--skip-comments',
    '--silent',
    '--no-tips',
    '--reporters',
    'json',
  ];
  const loosely = ['--ignore-identifiers', '--ignore-literals'];
  for (const [title, more] of [
    ['exact', []],
    ['except for names and values', loosely],
  ]) {
    const output = mkdtempSync(join(tmpdir(), 'platen-figures-'));
    try {
      runTool('jscpd/run-jscpd.js', [...options, ...more, '--output', output, ...folders]);
      const { total } = JSON.parse(readFileSync(join(output, 'jscpd-report.json'), 'utf8')).statistics;
      const { clones, duplicatedLines, percentage } = total;
      console.log(`copies ${title}: ${clones}, ${duplicatedLines} lines (${percentage.toFixed(2)} %)`);
    } finally {
      rmSync(output, { recursive: true });
    }
  }
}

/** Folders in import cycles found by dependency-cruiser, known debts included. */
function circles() {
  const config = join(own, '.dependency-cruiser.mjs');
  const program = 'dependency-cruiser/bin/dependency-cruise.mjs';
  const { folders } = JSON.parse(runTool(program, ['--config', config, '--output-type', 'json', '--metrics', '.']));
  const inCircles = folders.filter(({ dependencies }) => dependencies.some(each => each.circular));
  list(
    'folders in import cycles',
    inCircles.map(({ name }) => name),
  );
}

function places() {
  const through = sources.filter(({ path, kind }) => carriers.test(path) && /^(?:product|css)/.test(kind));
  for (const [what, names] of Object.entries(parameters)) {
    const found = through.filter(({ lines }) => lines.some(line => names.test(line)));
    list(
      `places of a scan parameter, ${what} (${names.source})`,
      found.map(({ path }) => path),
    );
  }
}

function drivers() {
  const ofDrivers = sources.filter(({ path, kind }) => {
    return kind === 'product TypeScript' && path.startsWith('drivers/') && !path.includes('/testing/');
  });
  const names = [...new Set(ofDrivers.map(({ path }) => path.split('/')[1]))];
  console.log(
    table(
      names.map(driver => {
        const of = ofDrivers.filter(({ path }) => path.startsWith(`drivers/${driver}/`));
        return { driver, files: of.length, lines: sum(of.map(({ lines }) => lines.length)) };
      }),
    ),
  );
}

function coverage() {
  const file = join(root, 'coverage', 'coverage-summary.json');
  if (!existsSync(file)) return console.log('coverage: none; `npm test -- --coverage` measures it');
  const { total } = JSON.parse(readFileSync(file, 'utf8'));
  console.log(`coverage: ${['lines', 'branches', 'functions'].map(each => `${each} ${total[each].pct} %`).join(', ')}`);
}

for (const print of [sizes, copies, circles, places, drivers, coverage]) {
  print();
  console.log();
}
