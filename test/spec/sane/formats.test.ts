/** Runs over scanners of SANE in the service: formats, resources, states, errors. */
import t from 'tap';
import { needsSane, saneTopology } from '../../topology/saneTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

if (needsSane(t)) runSpec(t, saneTopology, [...sections.formats, ...sections.resources, ...sections.states, ...sections.errors]);
