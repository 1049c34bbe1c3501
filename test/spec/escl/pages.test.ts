/** Runs over network scanners of the service: pages, parameters. */
import t from 'tap';
import { esclTopology } from '../../topology/esclTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, esclTopology, [...sections.pages, ...sections.parameters]);
