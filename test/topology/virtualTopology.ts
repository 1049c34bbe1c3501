/** The topology of a fresh machine: virtual scanners inside the service. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCertificate } from './certificate.js';
import { connect, request } from './client.js';
import { openEvents } from './events.js';
import { serve, type Exit } from './platen.js';
import { checkAnswer, checkBody } from './shapes.js';
import { drawSide, type Sheet } from './sheets.js';
import { roles, type House, type HouseOptions, type Role, type Topology } from './topology.js';

const resolutions = [75, 100, 150, 200, 300];

/** One scanner a role. The flatbed's name is one that must be encoded in a path. */
const scanners: Readonly<Record<Role, { readonly name: string } & Readonly<Record<string, unknown>>>> = {
  duplex: { name: 'Duplex feeder', feeder: true, duplex: true, resolutions },
  flatbed: { name: 'Glas & Söhne 50% A/B?', feeder: false, flatbed: true, resolutions },
  both: { name: 'Feeder and glass', feeder: true, flatbed: true, resolutions },
  small: { name: 'Card scanner', resolutions: [150, 300], colorModes: ['Grayscale'], pageSizes: ['A6', 'A5', 'Executive'] },
  jamming: { name: 'Jamming feeder', resolutions, faults: [{ sheet: 2, fault: 'paper-jam' }] },
  hanging: { name: 'Hanging feeder', resolutions, faults: [{ sheet: 2, fault: 'hang' }] },
  slow: { name: 'Slow feeder', resolutions, msPerPage: 600 },
  blind: { name: 'Blind feeder', resolutions, paperSensor: false },
};

export const virtualTopology: Topology = { name: 'virtual in the service', roles, start };

async function start(options: HouseOptions = {}): Promise<House> {
  const own = await mkdtemp(join(tmpdir(), 'platen-house-'));
  try {
    return await startIn(own, options);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(own: string, options: HouseOptions): Promise<House> {
  const { certificate = 'valid', port: wanted = 0, configMode = 0o600 } = options;
  const dataDir = options.dataDir ?? join(own, 'data');
  if (options.dataDir === undefined) {
    await mkdir(dataDir, { mode: 0o700 });
    if (certificate !== 'missing') await installCertificate(dataDir, certificate);
    for (const role of roles) await mkdir(trayIn(dataDir, role), { recursive: true });
  }
  await options.prepare?.(dataDir);
  const configFile = join(options.folder ?? own, 'platen.json');
  await writeFile(configFile, options.configText ?? JSON.stringify(configuration(options), null, 2));
  await chmod(configFile, configMode);

  const env = { PLATEN_DATA_DIR: dataDir, ...(wanted === 'configured' ? {} : { PLATEN_PORT: String(wanted) }), ...options.env };
  const service = await serve(['--config', configFile], { env });
  const { port, pid, ended, log, signal } = service;
  const stop = async (): Promise<Exit> => {
    signal('SIGTERM');
    const exit = await ended;
    await rm(own, { recursive: true, force: true });
    return exit;
  };
  const tray = (role: Role): string => trayIn(dataDir, role);
  return {
    url: `https://localhost:${port}`,
    port,
    pid,
    dataDir,
    name: role => scanners[role].name,
    async request(method, path, given = {}) {
      if (given.body && !given.asIs) checkBody(method, path, given.body);
      const answer = await request(port, method, path, given);
      if (method !== 'HEAD' && method !== 'OPTIONS' && path !== '/health') checkAnswer(method, path, answer.status, answer.json);
      return answer;
    },
    events: given => openEvents(port, given),
    connect: () => connect(port),
    load: (role, sheets) => layIn(tray(role), sheets),
    insert: (role, sheets) => insertInto(tray(role), sheets),
    waiting: async role => countSheets(tray(role)),
    scanned: async role => countSheets(join(tray(role), 'scanned')),
    tray,
    log,
    signal,
    ended,
    stop,
  };
}

const trayIn = (dataDir: string, role: Role): string => join(dataDir, 'trays', role);

/** Every output format of the interface. */
const allFormats = ['@platen/format-png', '@platen/format-jpeg', '@platen/format-tiff', '@platen/format-bmp'];

function configuration({ config = {}, faults = {}, formats = allFormats }: HouseOptions): object {
  const all = roles.map(role => {
    const { name, ...rest } = scanners[role];
    // The glass of "both" has the built-in document: a tray is its feeder's.
    return { name, tray: `trays/${role}`, ...rest, ...(faults[role] ? { faults: faults[role] } : {}) };
  });
  const plugins = [{ use: '@platen/driver-virtual', options: { scanners: all } }, ...formats.map(use => ({ use }))];
  return { plugins, ...config };
}

async function layIn(tray: string, sheets: readonly Sheet[]): Promise<void> {
  await rm(tray, { recursive: true, force: true });
  await mkdir(tray, { recursive: true });
  await insertInto(tray, sheets);
}

let laid = 0;

async function insertInto(tray: string, sheets: readonly Sheet[]): Promise<void> {
  for (const { front, back, size } of sheets) {
    const stem = String(++laid).padStart(5, '0');
    await layFile(tray, `${stem}.front.png`, await drawSide(front, size));
    if (back !== undefined) await layFile(tray, `${stem}.back.png`, await drawSide(back, size));
  }
}

/** Puts a file into a tray that has been there for a while: nobody is still writing it. */
export async function layFile(tray: string, name: string, bytes: string | Uint8Array): Promise<void> {
  const file = join(tray, name);
  const before = new Date(Date.now() - 60_000);
  await writeFile(`${file}.tmp`, bytes);
  await utimes(`${file}.tmp`, before, before);
  await rename(`${file}.tmp`, file);
}

async function countSheets(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  return new Set(names.filter(name => /\.\w+$/.test(name)).map(name => name.replace(/\..*$/, ''))).size;
}
