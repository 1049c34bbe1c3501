/** TWAIN scanners in the service: the driver with its real 64-bit helper and a simulated data source, under Wine. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  needsWine,
  programOf,
  readState,
  sourceName,
  startWine,
  writeState,
  type Wine,
} from '@platen/driver-twain-windows/wine';
import { sheetFaults, topologyOf, type Scanners } from './fixture.js';
import { inherited } from './platen.js';
import { inks, type Sheet } from './sheets.js';
import type { Fixture, Role, Topology } from './topology.js';

export { needsWine };

/** Two roles of one scanner: its manager knows one source. */
const roles = ['duplex', 'slow'] as const satisfies readonly Role[];

/** The source's names of faults, in drivers/twain-windows/native/simulation/README.md. */
const words: Readonly<Record<string, string>> = {
  'paper-jam': 'jam',
  'double-feed': 'doublefeed',
  'cover-open': 'coveropen',
  'device-offline': 'offline',
  hang: 'hang',
};

const facts = { name: 'TWAIN under Wine', roles, faults: Object.keys(words) };
const folder = new URL('.', import.meta.resolve('@platen/driver-twain-windows/package.json'));

export const twainTopology: Topology = {
  ...facts,
  async start(options) {
    const wine = await startWine(inherited);
    const withWine = (service: Fixture): Fixture => ({
      ...service,
      again: async () => withWine(await service.again()),
      async stop() {
        try {
          return await service.stop();
        } finally {
          await wine.dispose();
        }
      },
    });
    try {
      return withWine(await topologyOf(facts, () => twainScanners(wine)).start(options));
    } catch (error) {
      await wine.dispose();
      throw error;
    }
  },
};

function twainScanners({ env, path }: Wine): Scanners {
  const stateOf = (dataDir: string): string => join(dataDir, 'twain-state');
  const wineOnly = Object.fromEntries(
    Object.entries(env).filter((each): each is [string, string] => each[0].startsWith('WINE') && each[1] !== undefined),
  );
  async function insert(dataDir: string, sheets: readonly Sheet[]): Promise<void> {
    const { sheets: before = '0', colors = '' } = readState(stateOf(dataDir));
    const added = sheets.map(({ front }) => Buffer.from(inks[front]).toString('hex'));
    writeState(stateOf(dataDir), {
      sheets: Number(before) + sheets.length,
      colors: [colors, ...added].filter(each => each !== '').join(','),
    });
  }
  return {
    name: () => sourceName(64),
    env: dataDir => ({ ...wineOnly, PLATEN_TWAIN_STATE: path(stateOf(dataDir)) }),
    build: dataDir => writeFile(stateOf(dataDir), 'sheets=0\nhasflatbed=0\n'),
    async script(dataDir, faults) {
      const [first, ...more] = sheetFaults(faults.duplex ?? faults.slow);
      if (more.length > 0 || first?.sheet === 'always') throw new Error('A TWAIN source has one fault, of one sheet.');
      if (first) writeState(stateOf(dataDir), { fault: wordFor(first.fault), faultAfter: Number(first.sheet) - 1 });
    },
    plugins: () => [
      {
        use: fileURLToPath(new URL('dist/simulated.test.kit.js', folder)),
        options: { program: programOf(64), bits: [64] },
      },
    ],
    async load(dataDir, role, sheets) {
      writeState(stateOf(dataDir), { sheets: 0, fed: 0, colors: undefined, pageMs: role === 'slow' ? 600 : undefined });
      await insert(dataDir, sheets);
    },
    insert: (dataDir, _role, sheets) => insert(dataDir, sheets),
    waiting: async dataDir => Number(readState(stateOf(dataDir))['sheets']),
    scanned: async dataDir => Number(readState(stateOf(dataDir))['fed'] ?? 0),
    unplug: async dataDir => writeState(stateOf(dataDir), { fault: 'offline', faultAfter: undefined }),
    plugIn: async dataDir => writeState(stateOf(dataDir), { fault: undefined, faultAfter: undefined }),
    hang: async (dataDir, _role, when) => writeState(stateOf(dataDir), { hangs: when }),
    tray() {
      throw new Error('A TWAIN source has no folder for its paper.');
    },
    comeLater: true,
  };
}

function wordFor(fault: string): string {
  const word = words[fault];
  if (word === undefined) throw new Error(`A TWAIN source cannot have the fault ${fault}.`);
  return word;
}
