/** The clone, from the compiled file. */
import { fileURLToPath } from 'node:url';

export const clone = fileURLToPath(new URL('../../..', import.meta.url));
