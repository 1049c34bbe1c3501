/** The tests of the interface, by file. */
import { additions } from './additions.js';
import { authentication } from './authentication.js';
import { autoscan } from './autoscan.js';
import { autoscanLimits } from './autoscanLimits.js';
import { badInput } from './badInput.js';
import { cancelling } from './cancelling.js';
import { desktopApp } from './desktopApp.js';
import { directTests } from './direct.js';
import { documents } from './documents.js';
import { endpoints } from './endpoints.js';
import { errors } from './errors.js';
import { events } from './events.js';
import { failures } from './failures.js';
import { formats } from './formats.js';
import { limits } from './limits.js';
import { macos } from './macos.js';
import { pages } from './pages.js';
import { parameters } from './parameters.js';
import { recognition } from './recognition.js';
import { refusals } from './refusals.js';
import { resources } from './resources.js';
import { scans } from './scans.js';
import { states } from './states.js';
import { versioning } from './versioning.js';
import { whatTheServiceDoes } from './whatTheServiceDoes.js';

export const sections = {
  additions,
  authentication,
  autoscan,
  autoscanLimits,
  badInput,
  cancelling,
  desktopApp,
  direct: directTests,
  documents,
  endpoints,
  errors,
  events,
  failures,
  formats,
  limits,
  macos,
  pages,
  parameters,
  recognition,
  refusals,
  resources,
  scans,
  states,
  versioning,
  whatTheServiceDoes,
};
