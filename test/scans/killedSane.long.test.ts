/** The service is killed during scans on SANE's scanners, with their helpers. */
import t from 'tap';
import { needsSane, saneTopology } from '../topology/saneTopology.js';
import { runKills } from './killed.js';

if (needsSane(t)) runKills(saneTopology);
