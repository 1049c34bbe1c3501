/** Runs over the virtual scanners in the desktop application: desktopApp, versioning, whatTheServiceDoes. */
import t from 'tap';
import { desktopTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

// Not here: authentication, badInput and limits end in the service's listener, before any scanner, and cannot differ from what virtual/ shows.
runSpec(t, desktopTopology, [...sections.desktopApp, ...sections.versioning, ...sections.whatTheServiceDoes]);
