/**
 * A simulated Acme F100. It speaks the device's protocol, HTTP with JSON:
 *
 *   GET    /device        {"maker":"Acme","model":"Acme F100","serial":"1"}
 *   GET    /status        {"paper":true}, with "error":"COVER" while it cannot scan
 *   POST   /jobs          the settings of src/device.ts: 201 {"job":1}
 *   POST   /jobs/1/next   feeds a sheet, or the back of the one that was fed: 200, a JPEG; 204: the feeder is empty
 *   DELETE /jobs/1        204; the paper stops
 *
 * A refusal is 409 {"error":"JAM"}; the codes are in src/errors.ts.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Facts, Settings } from '../device.js';
import { sheetJpeg } from './sheet.js';

/** `OFFLINE`: the cable is pulled. `HANG`: the page never comes. `TORN`: the page ends in its middle. */
export type Fault = 'JAM' | 'DOUBLE' | 'COVER' | 'EMPTY' | 'OFFLINE' | 'HANG' | 'TORN';

export interface SimulatedDevice {
  /** `http://127.0.0.1:50123` */
  readonly address: string;
  load(sheets: number): void;
  remaining(): number;
  /** Meets the fault at this sheet of a scan, 1-based. */
  fault(sheet: number, fault: Fault): void;
  clearFaults(): void;
  /** Pulls the cable. */
  unplug(): void;
  plug(): void;
  close(): Promise<void>;
}

interface Job {
  readonly id: number;
  readonly settings: Settings;
  /** Fed so far. */
  sheet: number;
  backIsNext: boolean;
}

export interface DeviceWishes {
  readonly serial?: string;
  /** Somebody fills the feeder up with so many sheets when a scan has ended. */
  readonly refill?: number;
}

/** Listens on a free port of this computer. */
export async function simulateDevice({ serial = '1', refill = 0 }: DeviceWishes = {}): Promise<SimulatedDevice> {
  const facts: Facts = { maker: 'Acme', model: 'Acme F100', serial };
  const faults = new Map<number, Fault>();
  const sockets = new Set<Socket>();
  let paper = refill;
  let jobs = 0;
  let job: Job | undefined;
  let isPluggedIn = true;

  const unplug = (): void => {
    isPluggedIn = false;
    job = undefined;
    for (const socket of sockets) socket.destroy();
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const own = job && url.startsWith(`/jobs/${job.id}`) ? job : undefined;
    if (method === 'GET' && url === '/device') return send(response, 200, facts);
    if (method === 'GET' && url === '/status') return send(response, 200, { paper: paper > 0 });
    if (method === 'POST' && url === '/jobs') {
      const settings = (await json(request)) as Settings;
      if (job) return send(response, 409, { error: 'BUSY' });
      job = { id: ++jobs, settings, sheet: 0, backIsNext: false };
      return send(response, 201, { job: job.id });
    }
    if (own && method === 'DELETE') {
      job = undefined;
      paper = Math.max(paper, refill);
      return send(response, 204);
    }
    if (own && method === 'POST' && url.endsWith('/next')) return next(own, response);
    return send(response, 404, { error: 'NO_JOB' });
  }

  function next(of: Job, response: ServerResponse): void {
    const { settings } = of;
    if (of.backIsNext) {
      of.backIsNext = false;
      return sendPage(response, sheetJpeg(settings, of.sheet, 'back'));
    }
    const isFeeder = settings.source === 'feeder';
    const fault = isFeeder || of.sheet === 0 ? faults.get(of.sheet + 1) : undefined;
    if (fault === 'OFFLINE') return unplug();
    if (fault === 'HANG') return;
    if (fault && fault !== 'TORN') return send(response, 409, { error: fault });
    if (isFeeder && of.sheet >= (settings.sheets ?? Infinity)) return send(response, 204);
    if (isFeeder && paper === 0) return of.sheet > 0 ? send(response, 204) : send(response, 409, { error: 'EMPTY' });
    if (isFeeder) paper--;
    of.sheet++;
    of.backIsNext = settings.sides === 2;
    const page = sheetJpeg(settings, of.sheet, 'front');
    return sendPage(response, fault === 'TORN' ? page.subarray(0, page.length / 2) : page);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.on('connection', socket => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    if (!isPluggedIn) socket.destroy();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    load: sheets => void (paper += sheets),
    remaining: () => paper,
    fault: (sheet, fault) => void faults.set(sheet, fault),
    clearFaults() {
      faults.clear();
      isPluggedIn = true;
    },
    unplug,
    plug: () => void (isPluggedIn = true),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function send(response: ServerResponse, status: number, body?: object): void {
  response
    .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
    .end(body && JSON.stringify(body));
}

function sendPage(response: ServerResponse, page: Uint8Array): void {
  const headers = { 'content-type': 'image/jpeg', 'content-length': page.length, connection: 'close' };
  response.writeHead(200, headers).end(page);
}
