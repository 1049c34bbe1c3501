/**
 * The shipped installation: server/config/platen.json itself, SANE's test backend and a network scanner that announces
 * itself and answers like AirSane.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { advertise, startDevice, type Device, type DeviceOptions } from '@platen/driver-escl/testing';
import { useTestBackend } from '../sane/testBackend.js';
import { installCertificate } from '../topology/certificate.js';
import { request, type Answer } from '../topology/client.js';
import { openEvents, type EventStream } from '../topology/events.js';
import { serve, type Exit } from '../topology/platen.js';

export const shippedConfig = fileURLToPath(
  new URL('config/platen.json', import.meta.resolve('@platen/server/package.json')),
);

/** As clients know the network scanner. */
export const NETWORK = 'Acme Office';

export interface Shipped {
  readonly port: number;
  readonly pid: number;
  readonly device: Device;
  readonly dataDir: string;
  readonly saneConfigDir: string;
  log(): string;
  get(path: string): Promise<Answer>;
  post(path: string, body: object): Promise<Answer>;
  events(lastEventId?: string): Promise<EventStream>;
  /** The same data folder, another process. The first one is stopped in order, or killed. */
  restart(how?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** @throws where the service ends with a failure */
  stop(): Promise<void>;
}

export interface ShippedWishes {
  /** More of its environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the network scanner has beyond a feeder. */
  readonly device?: DeviceOptions;
  /** Called with the data folder and SANE's, before the service starts. */
  prepare?(dataDir: string, saneConfigDir: string): Promise<void>;
}

/**
 * Run it in its own network namespace only: it discovers scanners in all networks.
 * @param config another configuration than the shipped one
 */
export async function startShipped(config: string = shippedConfig, wishes: ShippedWishes = {}): Promise<Shipped> {
  const own = await mkdtemp(join(tmpdir(), 'platen-shipped-'));
  const dataDir = join(own, 'data');
  await mkdir(dataDir, { mode: 0o700 });
  await installCertificate(dataDir, 'valid');
  await useTestBackend(own);
  const saneConfigDir = join(own, 'sane');
  const device = await startDevice({
    model: NETWORK,
    feeder: 'simplex',
    flatbed: false,
    airSane: 'loaded',
    ...wishes.device,
  });
  const advertisement = await advertise(device.service);
  await wishes.prepare?.(dataDir, saneConfigDir);
  const begin = () =>
    serve(['--config', config], {
      env: { PLATEN_DATA_DIR: dataDir, PLATEN_PORT: '0', SANE_CONFIG_DIR: saneConfigDir, ...wishes.env },
      asPublished: true,
    });
  let service = await begin();

  const end = async (): Promise<Exit> => {
    service.signal('SIGTERM');
    const exit = await service.ended;
    if (exit.code !== 0) throw new Error(`The service ended with ${exit.code}: ${exit.log}`);
    return exit;
  };
  return {
    get port() {
      return service.port;
    },
    get pid() {
      return service.pid;
    },
    device,
    dataDir,
    saneConfigDir,
    log: () => service.log(),
    get: path => request(service.port, 'GET', path),
    post: (path, body) => request(service.port, 'POST', path, { body }),
    events: lastEventId => openEvents(service.port, lastEventId === undefined ? {} : { lastEventId }),
    async restart(how = 'SIGTERM') {
      service.signal(how);
      await service.ended;
      service = await begin();
    },
    async stop() {
      try {
        await end();
      } finally {
        await advertisement.withdraw();
        await device.close();
        await rm(own, { recursive: true, force: true });
      }
    },
  };
}
