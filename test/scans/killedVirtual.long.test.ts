/** The service is killed at each point of scans on virtual scanners. */
import { virtualTopology } from '../topology/virtualTopology.js';
import { runKills } from './killed.js';

runKills(virtualTopology);
