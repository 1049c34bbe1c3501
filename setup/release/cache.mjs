/** Where the release keeps what it made: it goes when node_modules goes. */
import { join } from 'node:path';
import { root } from '../step.mjs';

export const cache = join(root, 'node_modules', '.cache', 'platen-release');
