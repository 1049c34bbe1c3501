/** The HTTP application: every route, over composed parts. It does not listen. */
import { appWith, type AppSettings } from './appWith.js';
import disable from './routes/api/twain/autoscan/disable.js';
import enable from './routes/api/twain/autoscan/enable.js';
import events from './routes/api/twain/autoscan/events.js';
import consent from './routes/api/consent.js';
import features from './routes/api/features.js';
import profiles from './routes/api/profiles.js';
import separator from './routes/api/separator.js';
import capabilities from './routes/api/twain/capabilities.js';
import scan from './routes/api/twain/scan.js';
import status from './routes/api/twain/status.js';
import version from './routes/api/twain/version.js';
import client from './routes/client.js';
import page from './routes/app/index.js';
import pageAbout from './routes/app/about.js';
import pagePlugins from './routes/app/plugins.js';
import pageScanners from './routes/app/scanners.js';
import pageTray from './routes/app/tray.js';
import health from './routes/health.js';
import metrics from './routes/metrics.js';
import origins from './routes/origins.js';
import settingsPage from './routes/settings.js';
import reference from './routes/reference.js';
import { scanRoutes } from './routes/scanRoutes.js';
import type { App } from './http/app.js';
import type { Route } from './route.js';

/** URL = file. */
const routes: readonly Route[] = [
  ...scanRoutes,
  health,
  metrics,
  status,
  version,
  capabilities,
  scan,
  enable,
  disable,
  events,
  consent,
  profiles,
  features,
  separator,
  reference,
  client,
  page,
  pageAbout,
  pagePlugins,
  pageScanners,
  pageTray,
  origins,
  settingsPage,
];

export type { AppSettings } from './appWith.js';

export const buildApp = (settings: AppSettings): Promise<App> => appWith(routes, settings);
