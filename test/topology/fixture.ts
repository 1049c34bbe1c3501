/** Starts a service with any scanners as a separate process: a test's fixture. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installCertificate } from './certificate.js';
import { connect, request } from './client.js';
import { untilFound } from './desktopHost.js';
import { openEvents } from './events.js';
import { serve } from './platen.js';
import { checkAnswer, checkBody } from './shapes.js';
import type { Sheet } from './sheets.js';
import type { DesktopApp, Fault, Fixture, FixtureOptions, Role, Topology } from './topology.js';

/** The scanners of a fixture, in its data folder. */
export interface Scanners {
  name(role: Role): string;
  /** Creates them, before the service starts. */
  build(dataDir: string): Promise<void>;
  /** Entries of the configuration's plugins. */
  plugins(faults: Partial<Record<Role, readonly Fault[]>>): readonly object[];
  /** Environment variables of the service's process. */
  readonly env?: Readonly<Record<string, string>> | ((dataDir: string) => Readonly<Record<string, string>>);
  /** Sets the scanners' faults, if the configuration does not. */
  script?(dataDir: string, faults: Partial<Record<Role, readonly Fault[]>>): Promise<void>;
  /** The process with the scanners, if it is not the service: started with the service, stopped after it. */
  desktop?(dataDir: string, faults: Partial<Record<Role, readonly Fault[]>>): DesktopApp;
  load(dataDir: string, role: Role, sheets: readonly Sheet[]): Promise<void>;
  insert(dataDir: string, role: Role, sheets: readonly Sheet[]): Promise<void>;
  waiting(dataDir: string, role: Role): Promise<number>;
  scanned(dataDir: string, role: Role): Promise<number>;
  unplug(dataDir: string, role: Role): Promise<void>;
  plugIn(dataDir: string, role: Role): Promise<void>;
  /** As in `Fixture`; absent: the configuration has it. */
  hang?(dataDir: string, role: Role, when?: 'open' | 'close'): Promise<void>;
  tray(dataDir: string, role: Role): string;
  /** Whether they come after the service listens, as a Mac's do; a scan in that time may not find its own. */
  readonly comeLater?: true;
}

/** Every output format of the interface. */
const allFormats = ['@platen/format-png', '@platen/format-jpeg', '@platen/format-tiff', '@platen/format-bmp'];

export function topologyOf(facts: Omit<Topology, 'start'>, scannersOf: () => Scanners): Topology {
  return {
    ...facts,
    async start(options = {}) {
      const own = await mkdtemp(join(tmpdir(), 'platen-test-'));
      try {
        return await startIn(own, scannersOf(), facts.roles, options);
      } catch (error) {
        await rm(own, { recursive: true, force: true });
        throw error;
      }
    },
  };
}

async function startIn(
  own: string,
  scanners: Scanners,
  roles: readonly Role[],
  options: FixtureOptions,
): Promise<Fixture> {
  const {
    certificate = 'valid',
    port: wanted = 0,
    configMode = 0o600,
    faults = {},
    formats = allFormats,
    recognisers = [],
  } = options;
  const dataDir = options.dataDir ?? join(own, 'data');
  if (options.dataDir === undefined) {
    await mkdir(dataDir, { mode: 0o700 });
    if (certificate !== 'missing') await installCertificate(dataDir, certificate);
    await scanners.build(dataDir);
  }
  await scanners.script?.(dataDir, faults);
  await options.prepare?.(dataDir);
  const configFile = join(options.folder ?? own, 'platen.json');
  const plugins = [...scanners.plugins(faults), ...[...formats, ...recognisers].map(use => ({ use }))];
  await writeFile(configFile, options.configText ?? JSON.stringify({ plugins, ...options.config }, null, 2));
  await chmod(configFile, configMode);

  const startOn = (port: number | 'configured') =>
    serve(['--config', configFile], {
      env: {
        PLATEN_DATA_DIR: dataDir,
        ...(port === 'configured' ? {} : { PLATEN_PORT: String(port) }),
        ...(typeof scanners.env === 'function' ? scanners.env(dataDir) : scanners.env),
        ...options.env,
      },
      ...(options.starter === undefined ? {} : { starter: options.starter }),
    });
  const desktop = scanners.desktop?.(dataDir, faults);
  const [service, program] = await Promise.allSettled([
    startOn(wanted),
    options.desktopAway ? undefined : desktop?.start(),
  ]);
  if (service.status === 'rejected') {
    await desktop?.stop();
    throw service.reason;
  }
  if (program.status === 'rejected') {
    service.value.signal('SIGKILL');
    await service.value.ended;
    throw program.reason;
  }
  const fixtureOf = async (running: Awaited<ReturnType<typeof serve>>): Promise<Fixture> => {
    const { port } = running;
    if (desktop && !options.desktopAway) await untilFound(port);
    if (scanners.comeLater && hasOwnScanners(options))
      await untilListed(
        port,
        roles.map(role => scanners.name(role)),
      );
    return {
      ...callsOf(running, scanners, dataDir),
      ...(desktop && { desktop }),
      again: async () => fixtureOf(await startOn(port)),
      async stop() {
        running.signal('SIGTERM');
        const exit = await running.ended;
        await desktop?.stop();
        await rm(own, { recursive: true, force: true });
        return exit;
      },
    };
  };
  return fixtureOf(service.value);
}

/** Whether the service has the topology's scanners, and the test did not change them. */
const hasOwnScanners = ({ config, configText, folder, prepare }: FixtureOptions): boolean =>
  config?.['plugins'] === undefined && configText === undefined && folder === undefined && prepare === undefined;

/** Waits until the service lists scanners with these names. */
export async function untilListed(port: number, names: readonly string[]): Promise<void> {
  for (;;) {
    const { json } = await request(port, 'GET', '/api/twain/scanners');
    const { scanners = [] } = (json ?? {}) as { scanners?: readonly { name: string }[] };
    if (names.every(name => scanners.some(each => each.name === name))) return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** What a test does with a service that runs. */
function callsOf(
  { port, pid, log, signal, ended }: Awaited<ReturnType<typeof serve>>,
  scanners: Scanners,
  dataDir: string,
): Omit<Fixture, 'again' | 'stop' | 'desktop'> {
  return {
    url: `https://localhost:${port}`,
    port,
    pid,
    dataDir,
    name: role => scanners.name(role),
    async request(method, path, given = {}) {
      if (given.body && !given.asIs) checkBody(method, path, given.body);
      const answer = await request(port, method, path, given);
      if (method !== 'HEAD' && method !== 'OPTIONS' && path !== '/health')
        checkAnswer(method, path, answer.status, answer.json);
      return answer;
    },
    events: given => openEvents(port, given),
    connect: () => connect(port),
    load: (role, sheets) => scanners.load(dataDir, role, sheets),
    insert: (role, sheets) => scanners.insert(dataDir, role, sheets),
    waiting: role => scanners.waiting(dataDir, role),
    scanned: role => scanners.scanned(dataDir, role),
    unplug: role => scanners.unplug(dataDir, role),
    plugIn: role => scanners.plugIn(dataDir, role),
    hang: async (role, when) => scanners.hang?.(dataDir, role, when),
    tray: role => scanners.tray(dataDir, role),
    log,
    signal,
    ended,
  };
}

let inserted = 0;

/** Names of sheets, in the order of their insertion. */
export const nextSheet = (): string => String(++inserted).padStart(5, '0');

/** The faults of sheets: those of the opening and closing come with `hang`. */
export function sheetFaults(faults: readonly Fault[] = []): readonly (Fault & { readonly sheet: number | 'always' })[] {
  return faults.flatMap(({ sheet, fault }) => (sheet === 'open' || sheet === 'close' ? [] : [{ sheet, fault }]));
}
