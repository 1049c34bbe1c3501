/** The configurations of the installation, in its package: an update replaces them. */
import { join } from 'node:path';
import { serverFolder } from '../packageFolders.js';

export const platenJson = join(serverFolder, 'config', 'platen.json');
/** The same for the desktop application. */
export const hostJson = join(serverFolder, 'config', 'host.json');
