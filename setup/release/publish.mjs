/**
 * Publishes a release's tarballs to the registry that npm is configured with. The one step that cannot be undone.
 *
 * As a command: `node setup/release/publish.mjs FOLDER` publishes what `npm run release -- --stage FOLDER` left there. It
 * needs Node and npm only, so that nothing else runs where the rights to publish are.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, StepError } from '../step.mjs';
import { npm, npmConfig, npmEnv, npmOptions, tokenVariable, viewed } from './npm.mjs';
import { publishingRefusals } from './refusals.mjs';

/** In a staged folder: the tarballs' names, versions and file names, in their order. */
export const listName = 'release.json';

/**
 * Begins where an earlier try stopped: a version that is there with the same content is not published again.
 * @param {readonly { name: string, version: string, file: string }[]} tarballs in their order
 * @throws {StepError} with npm's words; before anything is published, if a version is there with another content
 */
export async function publishAll(tarballs) {
  const registry = String(await npmConfig('registry'));
  const env = npmEnv(tokenVariable(process.env.NODE_AUTH_TOKEN, registry));
  const missing = await unpublished(tarballs, spec => integrityOf(spec, env));
  for (const { name, version, file } of missing) {
    const publish = npm('publish', file, '--provenance', '--access', 'public', '--ignore-scripts');
    await run(`Publishing ${name}@${version}`, publish, { ...npmOptions, cwd: dirname(file), env });
  }
}

/**
 * @param {readonly { name: string, version: string, file: string }[]} tarballs
 * @param {(spec: string) => Promise<string | undefined>} published the registry's integrity of a version; undefined: none
 * @returns {Promise<Record<string, any>[]>} those that are not published
 * @throws {StepError} naming every version whose published content is another
 */
export async function unpublished(tarballs, published) {
  const missing = [];
  const others = [];
  for (const tarball of tarballs) {
    const { name, version, file } = tarball;
    const there = await published(`${name}@${version}`);
    if (there === undefined) missing.push(tarball);
    else if (!there.split(' ').includes(integrity(file))) others.push(`${name}@${version}`);
  }
  if (others.length > 0) {
    throw new StepError(
      `${others.join(', ')}: published with another content than was built here. Nothing was published now. Let the forge run only the failed jobs again, which keeps what was built, or release a new version.`,
    );
  }
  return missing;
}

const integrity = file => `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;

/** @throws {StepError} if the registry does not say whether it has the version */
const integrityOf = (spec, env) => viewed(spec, 'dist.integrity', env);

/** @param {string[]} args */
async function main([folder]) {
  if (folder === undefined) throw new StepError('Usage: node setup/release/publish.mjs FOLDER');
  const list = JSON.parse(readFileSync(join(folder, listName), 'utf8'));
  const reasons = await publishingRefusals(
    process.env,
    list.map(({ name }) => name),
  );
  if (reasons.length > 0) throw new StepError(reasons.join('\n'));
  await publishAll(list.map(each => ({ ...each, file: resolve(folder, each.file) })));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(process.argv.slice(2)).catch(error => {
    console.error(error instanceof StepError ? error.message : error);
    process.exitCode = 1;
  });
}
