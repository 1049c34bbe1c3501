/** The service that is soaked: an installation's, with scanners of every kind that this computer can simulate. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TESTER } from '../sane/testBackend.js';
import { NETWORK, shippedConfig, startShipped, type Shipped } from '../shipped/startShipped.js';
import { unitMemory } from '../topology/platen.js';
import { backend } from '../topology/saneTopology.js';
import { insertSheets } from '../topology/sheetFolder.js';
import { drawSide, type Ink, type Sheet } from '../topology/sheets.js';
import { insertFile } from '../topology/virtualTopology.js';

export interface Scanner {
  readonly name: string;
  readonly duplex: boolean;
  /** Inserts sheets where the feeder does not refill itself. */
  insert(sheets: readonly Sheet[]): Promise<void>;
}

export interface House {
  readonly service: Shipped;
  /** They deliver what they are asked for. */
  readonly scanners: readonly Scanner[];
  /** Virtual, with a tray: for auto-scan. */
  readonly feeder: Scanner;
  /** Names of scanners with a fault. */
  readonly jamming: string;
  readonly empty: string;
  /** Takes a second for each page. */
  readonly slow: string;
  /** Where the probe in each process writes. */
  readonly probes: string;
  stop(): Promise<void>;
}

const SANE_DUPLEX = 'Acme Duplex';
const sane = {
  is: 'feeder sensors duplex-source',
  name: `Acme\n${SANE_DUPLEX}`,
  resolutions: '75 100 150 200 300',
};
/** Built-in documents; they have text and barcodes. */
const documents = { samples: 3, duplex: true, flatbed: true };
const tray = { duplex: true, tray: 'trays/feeder', createTray: true };

export interface HouseWishes {
  /** The module of the second driver of virtual scanners, which brings "Isolated"; `secondVirtual.js` when absent. */
  readonly second?: string;
  /** Keys of the configuration's top level. */
  readonly config?: Readonly<Record<string, unknown>>;
}

export async function startHouse({
  second = 'secondVirtual.js',
  config: given = {},
}: HouseWishes = {}): Promise<House> {
  const own = await mkdtemp(join(tmpdir(), 'platen-soak-'));
  const config = join(own, 'platen.json');
  const { $schema: _, ...shipped } = JSON.parse(await readFile(shippedConfig, 'utf8')) as {
    readonly $schema: string;
    readonly plugins: readonly object[];
  };
  const virtual = (scanners: readonly object[], entry: object = {}): object => ({
    use: '@platen/driver-virtual',
    options: { scanners },
    ...entry,
  });
  const plugins = [
    virtual([
      { name: 'Desk', ...documents },
      { name: 'Feeder', ...tray },
      { name: 'Jamming', samples: 3, faults: [{ sheet: 2, fault: 'paper-jam' }] },
      { name: 'Empty', tray: 'trays/empty', createTray: true },
      { name: 'Slow', samples: 3, msPerPage: 1000 },
    ]),
    virtual([{ name: 'Isolated', ...documents }], {
      use: fileURLToPath(new URL(second, import.meta.url)),
      isolate: true,
    }),
    ...shipped.plugins,
  ];
  await writeFile(config, JSON.stringify({ ...shipped, ...given, plugins }), { mode: 0o600 });
  const probes = join(own, 'probes');
  await mkdir(probes);
  const probe = new URL('probe.js', import.meta.url);
  let stack = '';
  const service = await startShipped(config, {
    env: {
      LD_LIBRARY_PATH: backend(),
      NODE_OPTIONS: `--import=${probe.href}`,
      SOAK_PROBES: probes,
      ...unitMemory,
    },
    async prepare(_dataDir, saneConfigDir) {
      const body = join(saneConfigDir, 'bodies', 'duplex');
      stack = join(body, 'feeder');
      await mkdir(stack, { recursive: true });
      for (const [file, text] of Object.entries(sane)) await writeFile(join(body, file), text);
      await writeFile(join(saneConfigDir, 'dll.conf'), 'test\nplaten\n');
    },
  });
  const endless = (name: string, duplex: boolean): Scanner => ({ name, duplex, insert: async () => undefined });
  return {
    service,
    scanners: [
      endless('Desk', true),
      endless('Isolated', true),
      endless(TESTER, false),
      { name: SANE_DUPLEX, duplex: true, insert: sheets => insertSheets(stack, sheets) },
      {
        name: NETWORK,
        duplex: false,
        insert: async sheets =>
          service.device.insert(await Promise.all(sheets.map(async ({ front }) => ({ front: await side(front) })))),
      },
    ],
    feeder: {
      name: 'Feeder',
      duplex: true,
      async insert(sheets) {
        for (const { front } of sheets)
          await insertFile(
            join(service.dataDir, 'trays', 'feeder'),
            `${String(++inserted).padStart(6, '0')}.png`,
            await side(front),
          );
      },
    },
    jamming: 'Jamming',
    empty: 'Empty',
    slow: 'Slow',
    probes,
    async stop() {
      try {
        await service.stop();
      } finally {
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}

let inserted = 0;
const drawn = new Map<Ink, Promise<Uint8Array>>();

function side(ink: Ink): Promise<Uint8Array> {
  const made = drawn.get(ink) ?? drawSide(ink, 'A4');
  drawn.set(ink, made);
  return made;
}
