/** Where the source is published, from the `repository` field of the root's package.json: the one place of this address. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../step.mjs';

const { repository, author } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

export { author };

/** For git, as npm writes it: `git+https://….git`. */
export const gitUrl = typeof repository === 'string' ? repository : repository.url;

/** For people. */
export const webUrl = gitUrl.replace(/^git\+/, '').replace(/\.git$/, '');
