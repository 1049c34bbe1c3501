/** Runs over the virtual scanners in a process of their own: cancelling. */
import t from 'tap';
import { isolatedTopology } from '../../topology/isolatedTopology.js';
import { sections } from '../sections.js';
import { runSpec } from '../specTest.js';

runSpec(t, isolatedTopology, [...sections.cancelling]);
