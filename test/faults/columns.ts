/** Whose scanners meet the faults: each way to run a driver that can run here. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NeedyTest } from '@platen/conformance';
import type { Fixture, Role, Topology } from '../topology/topology.js';

export interface Column {
  readonly title: string;
  /** @returns undefined where this machine lacks something; the test then says what */
  load(t: NeedyTest): Promise<Topology | undefined>;
  /** Takes scripted faults away: these scanners meet them also when the feeder is empty. */
  clear?(fixture: Fixture, role: Role): Promise<void>;
  /** Codes of these scanners in place of the row's, by its id. */
  readonly codes?: Readonly<Record<string, readonly string[]>>;
}

export const columns = {
  virtual: {
    title: 'virtual',
    load: async () => (await import('../topology/virtualTopology.js')).virtualTopology,
  },
  isolated: {
    title: 'isolated',
    load: async () => (await import('../topology/isolatedTopology.js')).isolatedTopology,
  },
  desktop: {
    title: 'desktop',
    load: async () => (await import('../topology/desktopTopology.js')).desktopTopology,
  },
  desktopIsolated: {
    title: 'desktop, isolated',
    load: async () => (await import('../topology/desktopTopology.js')).desktopIsolatedTopology,
  },
  escl: {
    title: 'eSCL',
    load: async () => (await import('../topology/esclTopology.js')).esclTopology,
  },
  sane: {
    title: 'SANE',
    async load(t) {
      const { needsSane, saneTopology } = await import('../topology/saneTopology.js');
      return needsSane(t) ? saneTopology : undefined;
    },
    clear: ({ dataDir }, role) => rm(join(dataDir, 'sane', 'bodies', role, 'fault'), { force: true }),
  },
  twain: {
    title: 'TWAIN under Wine',
    async load(t) {
      const { needsWine, twainTopology } = await import('../topology/twainTopology.js');
      return needsWine(t) ? twainTopology : undefined;
    },
    clear: (fixture, role) => fixture.plugIn(role),
  },
  ica: {
    title: 'ImageCaptureCore, simulated',
    async load(t) {
      const { icaTopology, needsIca } = await import('../topology/icaTopology.js');
      return needsIca(t) ? icaTopology : undefined;
    },
    // ImageCaptureCore has one code for whatever happens in a feeder.
    codes: { 'double-feed': ['paper-jam'], cover: ['paper-jam'] },
  },
} as const satisfies Readonly<Record<string, Column>>;

export type ColumnName = keyof typeof columns;
