/** Why a release cannot be made from here: each reason is one sentence with what to do. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../projects.mjs';
import { isCurrent } from './helpers.mjs';
import { npmConfig } from './npm.mjs';
import { prebuiltOf } from './publishable.mjs';

/**
 * @param {object} options
 * @param {string} options.clone
 * @param {string} options.version to be released
 * @param {string} options.helpers the folder that buildHelpers filled
 * @param {NodeJS.ProcessEnv} options.env
 * @param {'all' | 'tag' | 'stage'} options.mode stage: a forge takes what is committed and tagged, and publishes it later
 * @returns {Promise<string[]>} empty: nothing is in the way
 */
export async function refusals({ clone, version, helpers, env, mode }) {
  const git = (...args) => execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8' }).trim();
  const name = `v${version}`;
  const tagged = mode === 'stage';
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
  // Only tagging: the forge builds them, and has the rights.
  if (mode === 'tag') return reasons;
  for (const prebuilt of packageFolders(clone).flatMap(prebuiltOf)) {
    const { name: missing } = prebuilt.manifest;
    const isThere = existsSync(join(helpers, missing.replace('@platen/', ''), 'bin'));
    if (isThere && isCurrent(prebuilt, helpers)) continue;
    reasons.push(
      `${missing} has no program${isThere ? ' of these sources' : ''}: build it on its system (npm run helpers), and copy its folder to ${helpers}.`,
    );
  }
  return mode === 'stage' ? reasons : [...reasons, ...(await publishingRefusals(env))];
}

/** @returns {Promise<string[]>} why nothing can be published with this environment */
export async function publishingRefusals(env) {
  const reasons = [];
  if (!(await hasToken(env))) {
    reasons.push('npm has no token to publish with: run "npm login", or let the forge publish (docs/releasing.md).');
  }
  // npm's own list of where it can prove from which commit a package was built.
  if (!env.ACTIONS_ID_TOKEN_REQUEST_URL && !env.SIGSTORE_ID_TOKEN) {
    reasons.push(
      'Provenance can be published by a forge only: push the tag, its workflow publishes (docs/releasing.md).',
    );
  }
  return reasons;
}

/** publish.mjs hands the variable to npm; a forge that is a trusted publisher needs none, but for a package's first version. */
async function hasToken(env) {
  if (env.NODE_AUTH_TOKEN || env.ACTIONS_ID_TOKEN_REQUEST_URL) return true;
  const file = env.NPM_CONFIG_USERCONFIG ?? (await npmConfig('userconfig'));
  if (!file || !existsSync(file)) return false;
  const host = new URL(await npmConfig('registry')).host;
  return readFileSync(file, 'utf8')
    .split('\n')
    .some(line => line.startsWith(`//${host}/`) && /:_authToken\s*=\s*\S/.test(line));
}
