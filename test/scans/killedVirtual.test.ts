/** The service is killed during scans on virtual scanners. */
import { virtualTopology } from '../topology/virtualTopology.js';
import { runKills } from './killed.js';

runKills(virtualTopology);
