/** Runs over the virtual scanners in the service: the limits of auto-scan, in real time. */
import t from 'tap';
import { virtualTopology } from '../../topology/virtualTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, virtualTopology, sections.autoscanLimits);
