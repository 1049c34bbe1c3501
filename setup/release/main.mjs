/** `npm run release`: makes a release, tries it out as its users will meet it, and publishes it. See docs/releasing.md. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root, run, StepError } from '../step.mjs';
import { cloneInto } from './clone.mjs';
import { buildHelpers, helpersFolder } from './helpers.mjs';
import { npmEnv } from './npm.mjs';
import { listName, publishAll } from './publish.mjs';
import { refusals } from './refusals.mjs';
import { rehearse } from './rehearsal/rehearse.mjs';
import { createReport } from './rehearsal/report.mjs';
import { nextVersion, tag, versionOf } from './version.mjs';

const usage = `npm run release -- [--dry-run | --tag | --stage FOLDER]

--dry-run   versions, builds, publishes to a registry on this computer, installs from it, scans, updates; keeps nothing
--tag       the same; then commits the version, tags it and pushes: the forge's workflow publishes it
--stage     for that workflow: tries out the tagged commit and leaves its tarballs in FOLDER, for publish.mjs
(nothing)   --tag, and publishes from here`;

/** @satisfies {import('node:util').ParseArgsConfig['options']} */
const options = {
  'dry-run': { type: 'boolean' },
  tag: { type: 'boolean' },
  stage: { type: 'string' },
  help: { type: 'boolean' },
};

async function main(args) {
  const { values } = parseArgs({ args, options });
  if (values.help) {
    console.log(usage);
    return;
  }
  const chosen = Object.keys(values);
  if (chosen.length > 1) throw new StepError(`--${chosen.join(' and --')} exclude each other.\n\n${usage}`);
  const [mode = 'all'] = chosen;
  const folder = mkdtempSync(join(tmpdir(), 'platen-release-'));
  const report = createReport();
  try {
    const clone = join(folder, 'clone');
    const release = await prepare(clone, mode, report);
    await rehearse({ folder, report, ...release });
    if (mode === 'stage') leaveIn(resolve(values.stage ?? ''), release.tarballs);
    else if (mode !== 'dry-run') await publish(clone, mode, release);
  } finally {
    console.log(`\n${report.table()}`);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Makes the clone, and two versions that follow each other: what is released, and the one before or, for the first
 * release, the one after it.
 */
async function prepare(clone, mode, report) {
  await report.step('clone the last commit', () => cloneInto(clone));
  const before = versionOf(clone);
  const isFirst = !git(clone, 'tag', '--list', `v${before}`);
  const bump = () =>
    report.step(
      'choose the next version',
      () => nextVersion(clone),
      version => version,
    );
  const staged = version => report.step(`build and stage ${version}`, () => stageIn(clone, version));
  if (!isFirst && mode !== 'stage') {
    const version = await bump();
    if (mode !== 'dry-run') await refuse(version, mode);
    const [from, to] = [await staged(before), await staged(version)];
    return {
      version,
      bumped: true,
      tarballs: to,
      from: { version: before, tarballs: from },
      to: { version, tarballs: to },
    };
  }
  if (mode !== 'dry-run') await refuse(before, mode);
  const from = await staged(before);
  if (isFirst) await tag(clone, before);
  // Something that is worth a version.
  appendFileSync(join(clone, 'core', 'README.md'), '\n');
  git(clone, 'commit', '--quiet', '--all', '--message', 'feat(core): a change of the rehearsal');
  const version = await bump();
  const to = { version, tarballs: await staged(version) };
  return { version: before, bumped: false, tarballs: from, from: { version: before, tarballs: from }, to };
}

/** By the clone's own scripts. Helpers that are built already, here or on other systems, are taken along. */
async function stageIn(clone, version) {
  const helpers = join(clone, relative(root, helpersFolder));
  if (existsSync(helpersFolder)) cpSync(helpersFolder, helpers, { recursive: true, preserveTimestamps: true });
  const ensure = [process.execPath, join(clone, 'setup', 'release', 'ensure.mjs'), version];
  const said = await run(`Building and staging ${version}`, ensure, { cwd: clone, env: npmEnv() });
  return JSON.parse(said.trimEnd().split('\n').at(-1) ?? '').tarballs;
}

async function refuse(version, mode) {
  if (mode !== 'tag') await buildHelpers(helpersFolder);
  const reasons = await refusals({ clone: root, version, helpers: helpersFolder, env: process.env, mode });
  if (reasons.length > 0) throw new StepError(reasons.join('\n'));
}

async function publish(clone, mode, { version, bumped, tarballs }) {
  if (bumped) {
    await run('Taking over the tag', ['git', '-C', root, 'fetch', '--quiet', clone, 'tag', `v${version}`]);
    await run('Taking over the version', ['git', '-C', root, 'merge', '--quiet', '--ff-only', `v${version}`]);
  } else await tag(root, version);
  if (mode !== 'tag') await publishAll(tarballs);
  await run('Pushing', ['git', '-C', root, 'push', '--quiet', '--atomic', 'origin', 'main', `v${version}`]);
}

/** Copies the tarballs, with the list that publish.mjs reads. */
function leaveIn(folder, tarballs) {
  mkdirSync(folder, { recursive: true });
  for (const { file } of tarballs) copyFileSync(file, join(folder, basename(file)));
  const list = tarballs.map(each => ({ ...each, file: basename(each.file) }));
  writeFileSync(join(folder, listName), `${JSON.stringify(list, null, 2)}\n`);
}

function git(clone, ...args) {
  return execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof StepError || error.code?.startsWith('ERR_PARSE_ARGS') ? error.message : error);
  process.exitCode = 1;
}
