/** Runs over the virtual scanners in the service: the TWAIN Direct style endpoint. */
import t from 'tap';
import { virtualTopology } from '../../topology/virtualTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, virtualTopology, sections.direct);
