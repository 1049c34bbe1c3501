/** Runs over a Mac's scanners in the service: events. */
import t from 'tap';
import { icaTopology, needsIca } from '../../topology/icaTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

if (needsIca(t)) runSpec(t, icaTopology, [...sections.events]);
