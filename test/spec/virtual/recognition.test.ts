/** Runs over the virtual scanners in the service: barcodes and text. */
import t from 'tap';
import { virtualTopology } from '../../topology/virtualTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, virtualTopology, sections.recognition);
