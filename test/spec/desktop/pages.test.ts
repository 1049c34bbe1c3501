/** Runs over the virtual scanners in the desktop application: pages, parameters, formats, resources, states. */
import t from 'tap';
import { desktopTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, desktopTopology, [...sections.pages, ...sections.parameters, ...sections.formats, ...sections.resources, ...sections.states]);
