/** Publishes a release's tarballs to the registry that npm is configured with. The one step that cannot be undone. */
import { dirname } from 'node:path';
import { run } from '../step.mjs';
import { npm, npmEnv, npmOptions } from './npm.mjs';

/**
 * Begins where an earlier try stopped: a version that is there is not published again.
 * @param {readonly { name: string, version: string, file: string }[]} tarballs in their order
 * @throws {StepError} with npm's words
 */
export async function publishAll(tarballs) {
  for (const { name, version, file } of tarballs) {
    const options = { ...npmOptions, cwd: dirname(file), env: npmEnv() };
    if (await isPublished(`${name}@${version}`, options)) continue;
    const publish = npm('publish', file, '--provenance', '--access', 'public', '--ignore-scripts');
    await run(`Publishing ${name}@${version}`, publish, options);
  }
}

async function isPublished(spec, options) {
  const said = await run(`Looking for ${spec}`, npm('view', spec, 'version', '--json'), options).catch(() => '');
  return said.trim() !== '';
}
