/** Runs over the virtual scanners in a process of the desktop application: autoscan, events. */
import t from 'tap';
import { desktopIsolatedTopology } from '../../topology/desktopTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, desktopIsolatedTopology, [...sections.autoscan, ...sections.events]);
