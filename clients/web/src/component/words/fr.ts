/** French. */
import { app } from './fr/app.js';
import { desk } from './fr/desk.js';
import { errors } from './fr/errors.js';
import { findings } from './fr/findings.js';
import { pages } from './fr/pages.js';
import { settings } from './fr/settings.js';
import type { Catalogue } from './en.js';

export const fr: Catalogue = { ...app, ...desk, ...errors, ...findings, ...pages, ...settings };
