/** Runs over the virtual scanners in the desktop application: direct, endpoints, errors, refusals. */
import t from 'tap';
import { desktopTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, desktopTopology, [...sections.direct, ...sections.endpoints, ...sections.errors, ...sections.refusals]);
