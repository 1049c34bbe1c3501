/** Runs over network scanners of the service: formats, resources, states, errors. */
import t from 'tap';
import { esclTopology } from '../../topology/esclTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, esclTopology, [...sections.formats, ...sections.resources, ...sections.states, ...sections.errors]);
