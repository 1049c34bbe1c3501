/**
 * `npm run conformance [-- PACKAGE…]`: scores our own packages as platen-conformance does, and writes the table of docs/conformance.md.
 *
 * What is checked as published is the staged package: the one of the tree has no LICENSE, and exports for tests. Packages
 * that are not named keep their rows.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from './release/cache.mjs';
import { publishable } from './release/publishable.mjs';
import { stage } from './release/stage.mjs';
import { root, StepError } from './step.mjs';

const document = join(root, 'docs', 'conformance.md');
const program = join(root, 'test', 'conformance', 'bin', 'platen-conformance.mjs');
const [begin, end] = ['<!-- scores: npm run conformance writes them -->', '<!-- end of the scores -->'];
const heads = ['package', 'score', 'cases', 'suites', 'what is missing', 'tested'];

async function main(names) {
  const packages = publishable().filter(({ manifest }) => manifest.platen?.conformance !== undefined);
  const unknown = names.find(name => !packages.some(({ manifest }) => manifest.name === name));
  if (unknown) throw new StepError(`${unknown} is not a package with suites: ${packages.map(nameOf).join(', ')}.`);

  const out = join(cache, 'conformance');
  await stage({ out });
  for (const each of packages.filter(({ manifest }) => names.length === 0 || names.includes(manifest.name)))
    write(rowOf(reportOf(each, join(out, 'packages', ...nameOf(each).split('/')))), packages.map(nameOf));
}

const nameOf = ({ manifest }) => manifest.name;

/** Replaces the row of the package, or adds it; rows are in the order of the packages. */
function write(row, packages) {
  const rows = new Map([...oldRows(), row].map(each => [each[0], each]));
  const known = packages.filter(name => rows.has(name));
  const table = [heads, heads.map(() => '---'), ...known.map(name => [`\`${name}\``, ...rows.get(name).slice(1)])];
  const [before, , after] = parts();
  const text = table.map(cells => `| ${cells.join(' | ')} |`).join('\n');
  writeFileSync(document, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}

function parts() {
  const text = readFileSync(document, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new StepError(`${document} lacks the lines "${begin}" and "${end}".`);
  return [text.slice(0, from), text.slice(from + begin.length, to), text.slice(to + end.length)];
}

function oldRows() {
  const lines = parts()[1]
    .split('\n')
    .filter(line => line.startsWith('| `'));
  return lines.map(line => line.split(' | ').map(each => each.replace(/^\| `|`$| \|$/g, '')));
}

function reportOf({ folder, manifest }, packed) {
  if (!existsSync(program)) throw new StepError('Build first: npm run build');
  console.log(`\n${manifest.name}`);
  const { stdout, status } = spawnSync(process.execPath, [program, folder, '--packed', packed, '--json', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  });
  if (status === 2) throw new StepError(`${manifest.name} could not be scored. See the lines above.`);
  return JSON.parse(stdout);
}

function rowOf({ package: its, score, suites, cases, promises, versions, date }) {
  const sum = outcome => promises.reduce((total, { counts }) => total + counts[outcome], 0);
  const all = sum('pass') + sum('fail') + sum('gap') + sum('not-tried');
  const own = suites.filter(({ kind }) => kind !== 'package').map(({ name }) => cell(name));
  const missing = ['fail', 'gap', 'not-tried'].flatMap(outcome => missingOf(cases, outcome));
  const [platform] = versions.platform.split(' ');
  return [
    its.name,
    String(score),
    `${sum('pass')} of ${all}`,
    own.join('; '),
    missing.join('. ') || 'nothing',
    `core ${versions.core}, ${date.slice(0, 10)}, ${platform}`,
  ];
}

/** The cases that earn nothing, by what is said of them. */
function missingOf(cases, outcome) {
  const passed = new Set(cases.filter(each => each.outcome === 'pass').map(({ id }) => id));
  const words = { fail: 'failed', gap: 'known gap', 'not-tried': 'not tried' };
  const byMessage = new Map();
  for (const { id, message } of cases.filter(each => each.outcome === outcome)) {
    if (outcome === 'not-tried' && passed.has(id)) continue;
    // Sentences of the loader name the folder of this clone.
    const sentence = message.split('\n')[0].replaceAll(`${root}/`, '');
    byMessage.set(sentence, (byMessage.get(sentence) ?? new Set()).add(id));
  }
  return [...byMessage].map(
    ([message, ids]) => `${[...ids].map(id => `\`${id}\``).join(', ')} ${words[outcome]}: ${cell(message)}`,
  );
}

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\.$/, '');
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof StepError ? error.message : error);
  process.exitCode = 1;
}
