/**
 * The packages of a version, staged once for everyone who needs them: the rehearsal, the installers, the tests.
 *
 * As a command: `node setup/release/ensure.mjs [VERSION]`; the last line of its output is the result as JSON.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { alone } from '../lock.mjs';
import { buildProjects, bundle } from '../steps.mjs';
import { root, StepError } from '../step.mjs';
import { cache } from './cache.mjs';
import { buildHelpers, helpersFolder } from './helpers.mjs';
import { stage } from './stage.mjs';

/** What packages are made of, below the clone. Git's list: what it ignores is made from these. */
const sources = [
  'package.json',
  'package-lock.json',
  'LICENSE',
  'tsconfig.base.json',
  'clients',
  'core',
  'drivers',
  'plugins',
  'server',
  'test/conformance',
  'setup/release',
  // What tries packages out changes none.
  ':(exclude)setup/release/rehearsal',
];
/** Tests are in no package, but for those of templates. */
const inNoPackage = /^(?!.*\/templates\/).*(?:\.test\.|\.test\.kit\.)/;

/**
 * Builds, builds the helpers and stages, unless nothing changed since. Calls at the same time, also from several
 * processes, wait for the first.
 * @param {{ version?: string }} [options] absent: the tree's version
 * @returns {Promise<{ folder: string, tarballs: { name: string, version: string, file: string }[] }>}
 *   folder: has `tarballs` and `packages`; tarballs: in an order in which they can be published. Read only.
 * @throws {StepError} if a step failed
 */
export async function ensureRelease({ version = treeVersion() } = {}) {
  const folder = join(cache, version);
  const record = join(folder, 'release.json');
  let tarballs;
  mkdirSync(cache, { recursive: true });
  await alone(
    [
      async () => {
        mkdirSync(helpersFolder, { recursive: true });
        await buildHelpers(helpersFolder);
        const hash = await hashOfSources();
        tarballs = staged(record, hash);
        if (tarballs) return;
        await buildProjects();
        await bundle();
        ({ tarballs } = await stage({ out: folder, version, helpers: helpersFolder }));
        writeFileSync(record, JSON.stringify({ hash, tarballs }));
      },
    ],
    join(cache, 'ensure.lock'),
  );
  return { folder, tarballs };
}

function treeVersion() {
  return JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8')).version;
}

/** @returns the tarballs, if they were made from sources of this hash and are still there */
function staged(record, hash) {
  if (!existsSync(record)) return undefined;
  const made = JSON.parse(readFileSync(record, 'utf8'));
  return made.hash === hash && made.tarballs.every(({ file }) => existsSync(file)) ? made.tarballs : undefined;
}

async function hashOfSources() {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...sources];
  const { stdout } = await promisify(execFile)('git', list, { cwd: root, maxBuffer: 64 << 20 }).catch(error => {
    throw new StepError(`The sources of a release are what git lists, and git failed here: ${error.message}`);
  });
  const files = [...new Set(stdout.split('\0'))].filter(file => file !== '' && !inNoPackage.test(file)).sort();
  const hash = createHash('sha256');
  // Programs may also come from another computer: a Mac builds those for macOS.
  for (const file of [...files.map(each => join(root, each)), ...programs()]) {
    // Removed, and not yet committed.
    const content = await readFile(file).catch(() => undefined);
    if (content) hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function programs() {
  return readdirSync(helpersFolder, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const [version] = process.argv.slice(2);
    console.log(JSON.stringify(await ensureRelease({ version })));
  } catch (error) {
    console.error(error instanceof StepError ? error.message : error);
    process.exitCode = 1;
  }
}
