/** Runs over network scanners of the service: events. */
import t from 'tap';
import { esclTopology } from '../../topology/esclTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, esclTopology, [...sections.events]);
