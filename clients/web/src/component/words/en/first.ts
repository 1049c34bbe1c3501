/** What the element shows without anything that is loaded later. */
import { desk } from './desk.js';
import { pages } from './pages.js';

export const first = { ...desk, ...pages } as const;
