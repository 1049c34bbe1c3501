/** The type of the default export of every file of routes. */
import type { App } from './http/app.js';
import type { RouteParts } from './routeParts.js';

export type Route = (app: App, routeParts: RouteParts) => void;
