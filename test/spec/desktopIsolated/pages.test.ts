/** Runs over the virtual scanners in a process of the desktop application: pages, parameters, formats, resources, states. */
import t from 'tap';
import { desktopIsolatedTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

// Not in this folder: what is decided in the service or on its side of the channel (authentication, badInput, limits, versioning,
// whatTheServiceDoes, recognition, desktopApp). To the service these scanners are those of desktop/.
runSpec(t, desktopIsolatedTopology, [...sections.pages, ...sections.parameters, ...sections.formats, ...sections.resources, ...sections.states]);
