/** Runs over network scanners of the service: refusals, endpoints. */
import t from 'tap';
import { esclTopology } from '../../topology/esclTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, esclTopology, [...sections.refusals, ...sections.endpoints]);
