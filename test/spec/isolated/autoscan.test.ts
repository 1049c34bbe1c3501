/** Runs over the virtual scanners in a process of their own: auto-scan's endpoints. */
import t from 'tap';
import { isolatedTopology } from '../../topology/isolatedTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, isolatedTopology, sections.autoscan);
