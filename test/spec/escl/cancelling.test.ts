/** Runs over network scanners of the service: cancelling. */
import t from 'tap';
import { esclTopology } from '../../topology/esclTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, esclTopology, [...sections.cancelling]);
