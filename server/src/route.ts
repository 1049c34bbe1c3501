/** What every file of routes exports by default. */
import type { App } from './http/app.js';
import type { Services } from './services.js';

export type Route = (app: App, services: Services) => void;
