/** German. */
import { app } from './de/app.js';
import { desk } from './de/desk.js';
import { errors } from './de/errors.js';
import { findings } from './de/findings.js';
import { pages } from './de/pages.js';
import { settings } from './de/settings.js';
import type { Catalogue } from './en.js';

export const de: Catalogue = { ...app, ...desk, ...errors, ...findings, ...pages, ...settings };
