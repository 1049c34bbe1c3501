/**
 * One run of the table in scanners.ts, or one section of it, as a separate process: `node test/dist/spec/run.js virtual
 * autoscan`.
 */
import t from 'tap';
import type { Topology } from '../topology/topology.js';
import { scanners, sectionsOf, type Scanners } from './scanners.js';
import { sections } from './sections.js';
import { runSpec } from './specTest.js';

/** Loads a topology. @returns undefined if this machine lacks something that it needs; the test is then skipped */
const topologies: Record<keyof typeof scanners, () => Promise<Topology | undefined>> = {
  virtual: async () => (await import('../topology/virtualTopology.js')).virtualTopology,
  desktop: async () => (await import('../topology/desktopTopology.js')).desktopTopology,
  desktopIsolated: async () => (await import('../topology/desktopTopology.js')).desktopIsolatedTopology,
  escl: async () => (await import('../topology/esclTopology.js')).esclTopology,
  async sane() {
    const { needsSane, saneTopology } = await import('../topology/saneTopology.js');
    return needsSane(t) ? saneTopology : undefined;
  },
  async ica() {
    const { icaTopology, needsIca } = await import('../topology/icaTopology.js');
    return needsIca(t) ? icaTopology : undefined;
  },
};

const [name = '', run = ''] = process.argv.slice(2);
const row = (scanners as Record<string, Scanners>)[name] ?? { runs: {} };
const chosen = sectionsOf(row, run);
if (!chosen) throw new Error(`There is no run "${name} ${run}" in test/spec/scanners.ts.`);
const topology = await topologies[name as keyof typeof scanners]();
if (topology)
  runSpec(
    t,
    topology,
    chosen.flatMap(section => [...sections[section]]),
    row.gaps ?? {},
  );
