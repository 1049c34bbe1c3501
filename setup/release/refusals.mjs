/** Why a release cannot be made from here: each reason is one sentence with what to do. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../projects.mjs';
import { isCurrent } from './helpers.mjs';
import { isPublished, npmConfig } from './npm.mjs';
import { prebuiltOf, publishable } from './publishable.mjs';

const workflow = join('.github', 'workflows', 'release.yml');

/**
 * @param {object} options
 * @param {string} options.clone
 * @param {string} options.version to be released
 * @param {string} options.helpers the folder that buildHelpers filled
 * @param {NodeJS.ProcessEnv} options.env
 * @param {'all' | 'tag' | 'stage'} options.mode stage: a forge takes what is committed and tagged, and publishes it later
 * @param {(name: string) => Promise<boolean>} [options.published] whether the registry has a package
 * @returns {Promise<string[]>} empty: nothing is in the way
 */
export async function refusals({ clone, version, helpers, env, mode, published = isPublished }) {
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim();
  const name = `v${version}`;
  const tagged = mode === 'stage';
  /** @type {string[]} */
  const reasons = [];
  if (git('status', '--porcelain')) reasons.push('The tree has changes that are not committed: commit or stash them.');
  const branch = git('branch', '--show-current');
  if (!tagged && branch !== 'main') {
    reasons.push(`A release is made on the branch main, and this is ${branch || 'no branch'}: git switch main.`);
  }
  const ofTag = git('tag', '--list', name) && git('rev-list', '-1', name);
  if (tagged ? ofTag !== git('rev-parse', 'HEAD') : ofTag) {
    reasons.push(
      tagged
        ? `The last commit is not tagged ${name}: check out the tag.`
        : `The tag ${name} exists already: it was released, or a release of it was begun (git tag --delete ${name}).`,
    );
  }
  const movable = movableActions(clone);
  if (movable.length > 0) {
    reasons.push(
      `${workflow} uses ${movable.join(', ')}, and a tag can be moved: name the SHA of a commit (docs/releasing.md).`,
    );
  }
  // Only tagging: the forge builds them, and has the rights.
  if (mode === 'tag') return reasons;
  const prebuilts = packageFolders(clone).flatMap(prebuiltOf);
  for (const prebuilt of prebuilts) {
    const { name: missing } = prebuilt.manifest;
    const isThere = existsSync(join(helpers, missing.replace('@platen/', ''), 'bin'));
    if (isThere && isCurrent(prebuilt, helpers)) continue;
    reasons.push(
      `${missing} has no program${isThere ? ' of these sources' : ''}: build it on its system (npm run helpers), and copy its folder to ${helpers}.`,
    );
  }
  if (mode === 'stage') return reasons;
  const names = [...publishable(clone), ...prebuilts].map(({ manifest }) => manifest.name);
  return [...reasons, ...(await publishingRefusals(env, names, published))];
}

/** @returns {string[]} the actions of the release's workflow that are not named by a commit */
function movableActions(clone) {
  const file = join(clone, workflow);
  if (!existsSync(file)) return [];
  const used = [...readFileSync(file, 'utf8').matchAll(/^[\s-]*uses:\s*([^\s#]+)/gm)].map(([, action]) => action);
  return [...new Set(used)].filter(action => !/@[\da-f]{40}$/.test(action));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} names the packages
 * @param {(name: string) => Promise<boolean>} [published] whether the registry has a package
 * @returns {Promise<string[]>} why they cannot be published with this environment
 */
export async function publishingRefusals(env, names, published = isPublished) {
  const reasons = [];
  // npm's own list of where it can prove from which commit a package was built.
  const onForge = Boolean(env.ACTIONS_ID_TOKEN_REQUEST_URL || env.SIGSTORE_ID_TOKEN);
  if (!(await hasToken(env))) {
    if (!env.ACTIONS_ID_TOKEN_REQUEST_URL) {
      reasons.push('npm has no token to publish with: run "npm login", or let the forge publish (docs/releasing.md).');
    } else {
      // A package must exist before a forge can be its trusted publisher.
      const first = [];
      for (const name of names) if (!(await published(name))) first.push(name);
      if (first.length > 0) {
        reasons.push(
          `npm takes the first version of ${first.join(', ')} with a token only: put one into the secret NPM_TOKEN (docs/releasing.md).`,
        );
      }
    }
  }
  if (!onForge) {
    reasons.push(
      'Provenance can be published by a forge only: push the tag, its workflow publishes (docs/releasing.md).',
    );
  }
  return reasons;
}

/** publish.mjs hands the variable to npm. */
async function hasToken(env) {
  if (env.NODE_AUTH_TOKEN) return true;
  const file = env.NPM_CONFIG_USERCONFIG ?? (await npmConfig('userconfig'));
  if (!file || !existsSync(file)) return false;
  const host = new URL(String(await npmConfig('registry'))).host;
  return readFileSync(file, 'utf8')
    .split('\n')
    .some(line => line.startsWith(`//${host}/`) && /:_authToken\s*=\s*\S/.test(line));
}
