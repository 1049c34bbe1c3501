/** The service is killed during scans on virtual scanners, at points of each kind; at all: killedVirtual.long.test.ts. */
import { virtualTopology } from '../topology/virtualTopology.js';
import { runKills } from './killed.js';

runKills(virtualTopology, ['in the middle of a page', 'between a page and its event', 'during DELETE']);
