/** The service is killed during scans on network scanners. */
import { esclTopology } from '../topology/esclTopology.js';
import { runKills } from './killed.js';

runKills(esclTopology);
