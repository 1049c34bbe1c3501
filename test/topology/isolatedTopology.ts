/** The virtual scanners in a separate process, beside the service. */
import { topologyOf } from './fixture.js';
import { roles, type Topology } from './topology.js';
import { virtualScanners } from './virtualTopology.js';

export const isolatedTopology: Topology = topologyOf(
  { name: 'virtual in a separate process', roles, faults: 'all' },
  () => virtualScanners({ isolate: true }),
);
