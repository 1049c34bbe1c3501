/** Runs over the virtual scanners in a process of the desktop application: autoscanLimits. */
import t from 'tap';
import { desktopIsolatedTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, desktopIsolatedTopology, [...sections.autoscanLimits]);
