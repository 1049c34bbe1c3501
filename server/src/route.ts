/** The type of the default export of every file of routes. */
import type { App } from './http/app.js';
import type { Services } from './services.js';

export type Route = (app: App, services: Services) => void;
