/** Spanish. */
import { app } from './es/app.js';
import { desk } from './es/desk.js';
import { errors } from './es/errors.js';
import { findings } from './es/findings.js';
import { pages } from './es/pages.js';
import { settings } from './es/settings.js';
import type { Catalogue } from './en.js';

export const es: Catalogue = { ...app, ...desk, ...errors, ...findings, ...pages, ...settings };
