/** The next version of a clone: numbers and CHANGELOG by lerna from the commits' subjects, one commit, one tag. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { packageFolders } from '../projects.mjs';
import { run } from '../step.mjs';
import { peerRange } from './manifest.mjs';
import { npmEnv } from './npm.mjs';
import { prebuiltOf } from './publishable.mjs';
import { installTools } from './tools.mjs';

const fields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** @returns {string} what lerna.json says */
export function versionOf(clone) {
  return read(join(clone, 'lerna.json')).version;
}

/**
 * Changes the clone and commits, as `v<version>`. Pushes nothing.
 * @param {string} clone its folder; a clean tree
 * @returns {Promise<string>} the new version
 * @throws {StepError} if lerna or git failed
 */
export async function nextVersion(clone) {
  const before = versionOf(clone);
  const version = await changeLog(clone);
  for (const folder of packageFolders(clone)) {
    for (const { folder: each } of [{ folder }, ...prebuiltOf(folder)]) {
      change(join(each, 'package.json'), text => renumbered(text, before, version));
    }
  }
  change(join(clone, 'lerna.json'), text => text.replace(`"version": "${before}"`, `"version": "${version}"`));
  relock(clone);
  const git = (...args) => ['git', '-C', clone, ...args];
  await run('Committing the version', git('commit', '--quiet', '--all', '--message', `chore(release): v${version}`));
  await tag(clone, version);
  return version;
}

/** Tags the last commit. */
export async function tag(clone, version) {
  const name = `v${version}`;
  await run(`Tagging ${name}`, ['git', '-C', clone, 'tag', '--annotate', name, '--message', name]);
}

/**
 * lerna reads the commits since the last tag. Of what it writes, only the root's CHANGELOG.md stays: all packages have one
 * version, and it would write each package.json in a layout of its own and leave peers as they are.
 * @returns {Promise<string>} the version that it chose
 */
async function changeLog(clone) {
  const lerna = join(await installTools(), 'node_modules', 'lerna', 'dist', 'cli.js');
  const lock = join(clone, 'package-lock.json');
  const aside = join(clone, '.package-lock.json');
  // With a lock, it has npm look for the new versions of our peers, before they are published.
  renameSync(lock, aside);
  try {
    const flags = ['--conventional-commits', '--no-git-tag-version', '--no-push', '--force-publish', '--yes'];
    await run('Choosing the version', [process.execPath, lerna, 'version', ...flags], { cwd: clone, env: npmEnv() });
  } finally {
    renameSync(aside, lock);
  }
  const version = versionOf(clone);
  for (const folder of packageFolders(clone)) rmSync(join(folder, 'CHANGELOG.md'), { force: true });
  const manifests = ['lerna.json', '*/package.json'];
  await run('Keeping the layout', ['git', '-C', clone, 'checkout', '--quiet', 'HEAD', '--', ...manifests]);
  return version;
}

/** @returns the text of a package.json with the version of all our packages in it, and the range of our peers */
function renumbered(text, before, version) {
  const exact = before.replaceAll('.', '\\.');
  return text
    .replace(new RegExp(`("version": *")${exact}"`), `$1${version}"`)
    .replace(new RegExp(`("@platen/[^"]+": *")${exact}"`, 'g'), `$1${version}"`)
    .replace(/("@platen\/[^"]+": *")\^[^"]+"/g, `$1${peerRange(version)}"`);
}

/** The lock's entries of our packages repeat their package.json; nothing else in it depends on our version. */
function relock(clone) {
  const lock = read(join(clone, 'package-lock.json'));
  for (const folder of packageFolders(clone)) {
    const manifest = read(join(folder, 'package.json'));
    const entry = lock.packages[relative(clone, folder).split(sep).join('/')];
    entry.version = manifest.version;
    for (const field of fields) if (entry[field]) entry[field] = sorted(manifest[field]);
  }
  change(join(clone, 'package-lock.json'), () => `${JSON.stringify(lock, null, 2)}\n`);
}

const sorted = object => Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

function change(file, rewritten) {
  writeFileSync(file, rewritten(readFileSync(file, 'utf8')));
}

function read(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
