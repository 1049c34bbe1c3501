/** An eSCL scanner on loopback for tests: they load paper, cause faults and read the requests that it received. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { faultTable, type Fault } from './faults.js';
import { buildOf, type DeviceOptions } from './options.js';
import { motor } from './motor.js';
import { paperPath, type Trouble } from './paperPath.js';
import { filePicture, markedPicture, type SheetPictures } from './pictures.js';
import { renderer } from './render.js';
import { send } from './replies.js';
import { answer } from './routes.js';
import { serviceFacts, type ServiceFacts } from './serviceFacts.js';

export interface DeviceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The HTTP status of the response; undefined before it was sent. */
  status: number | undefined;
}

/** An image file, or one for each side of a sheet. */
export type SheetImages = Uint8Array | { readonly front: Uint8Array; readonly back?: Uint8Array };

export interface Device {
  /** With its root: `http://127.0.0.1:40001/eSCL`. */
  readonly url: string;
  readonly port: number;
  /** Its DNS-SD service, for `advertise`. */
  readonly service: ServiceFacts;
  /** The requests that it received, in order. */
  readonly requests: readonly DeviceRequest[];
  /** The requests to the host that its redirects and wrong URLs point to: none, from a careful client. */
  readonly strayed: readonly DeviceRequest[];
  /** Sheets that left the feeder so far. */
  readonly fed: number;
  /** With `sheetMs`: milliseconds that the feeder stood still before each sheet of the latest job because its memory was full. */
  readonly waits: readonly number[];
  /** Loads sheets with marks into the feeder: they are numbered from 1, and `readMark` reads them. */
  load(sheets: number): void;
  /** Loads sheets with these pictures into the feeder, behind the others. */
  insert(images: readonly SheetImages[]): Promise<void>;
  /** Puts a picture on the flatbed. Before the first one it has the mark of sheet 0. */
  lay(image: Uint8Array): Promise<void>;
  /** Removes all sheets from the feeder. */
  empty(): void;
  /** Sheets in the feeder. */
  remaining(): number;
  /** The fault of this sheet in the following jobs. Faults of jobs and documents ignore the sheet. */
  fault(sheet: number | 'always', fault: Fault): void;
  /** Removes all faults, clears the paper path and plugs the cable in. */
  clearFaults(): Promise<void>;
  /** What the sensors of the idle feeder report; undefined: no trouble. The next job clears it. */
  detect(trouble: Trouble | undefined): void;
  /** Ends the running job, as a device does by itself some time after its client has gone. */
  expire(): void;
  /** Holds pages back until `release`. */
  hold(): void;
  release(): void;
  /** Ends its connections and accepts none until `plug`; its address stays the same. */
  unplug(): void;
  plug(): Promise<void>;
  close(): Promise<void>;
}

export async function startDevice(options: DeviceOptions = {}): Promise<Device> {
  const build = buildOf(options, randomUUID());
  const faults = faultTable();
  const path = paperPath(markedPicture({ sheet: 0, side: 'flatbed' }), faults, build.ahead, build.airSane);
  const render = renderer(build.quality);
  const running = build.sheetMs === undefined ? undefined : motor(build.sheetMs, build.memorySheets);
  const [requests, strayed]: [DeviceRequest[], DeviceRequest[]] = [[], []];
  let loaded = 0;
  let gate = { passed: Promise.resolve(), pass: () => {} };
  let unplugged: Promise<unknown> | undefined;

  const serve: RequestListener = (request, response) => {
    void (async () => {
      const seen = await note(request, requests);
      const question = { ...seen, host: request.headers.host ?? '' };
      const reply = await answer(body, question);
      if (reply.manner !== 'never' && reply.manner !== 'cut') seen.status = reply.status;
      const sent = await send(response, reply);
      if (!sent || !reply.delivers) return;
      path.delivered(reply.delivers);
      if (reply.delivers.due.length === 0) running?.taken(reply.delivers.fed - 1);
    })().catch(() => response.destroy());
  };
  const server = await listen(build.tls ? createTlsServer(build.tls, serve) : createServer(serve), build.port);
  const stranger = await listen(createServer(witness(strayed)));
  const { port } = server.address() as AddressInfo;
  const origin = `${build.tls ? 'https' : 'http'}://127.0.0.1:${port}`;

  function unplug(): void {
    unplugged ??= end(server);
  }
  async function plug(): Promise<void> {
    await unplugged;
    if (unplugged) await listen(server, port);
    unplugged = undefined;
  }
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
  const body = { build, path, faults, origin, elsewhere, render, running, unplug, passes: () => gate.passed };
  const device: Device = {
    url: `${origin}/${build.root}`,
    port,
    service: serviceFacts(build, port),
    requests,
    strayed,
    get fed() {
      return path.fed;
    },
    get waits() {
      return running?.waits ?? [];
    },
    load(sheets) {
      for (let i = 0; i < sheets; i++) {
        const sheet = ++loaded;
        path.sheets.push({
          front: markedPicture({ sheet, side: 'front' }),
          back: markedPicture({ sheet, side: 'back' }),
        });
      }
    },
    async insert(images) {
      path.sheets.push(...(await Promise.all(images.map(sheetPictures))));
    },
    async lay(image) {
      path.flatbed = await filePicture(image);
    },
    empty: () => void path.sheets.splice(0),
    remaining: () => path.sheets.length,
    fault: (sheet, fault) => faults.set(sheet, fault),
    async clearFaults() {
      faults.clear();
      path.trouble = undefined;
      await plug();
    },
    expire() {
      for (const job of path.jobs) path.end(job, 'Aborted', 'AbortedBySystem');
    },
    detect: trouble => void (path.trouble = trouble),
    hold() {
      let pass = () => {};
      const passed = new Promise<void>(resolve => (pass = resolve));
      gate = { passed, pass };
    },
    release: () => gate.pass(),
    unplug,
    plug,
    async close() {
      gate.pass();
      unplug();
      await Promise.all([unplugged, end(stranger)]);
    },
  };
  return device;
}

async function sheetPictures(images: SheetImages): Promise<SheetPictures> {
  const { front, back = undefined } = images instanceof Uint8Array ? { front: images } : images;
  const blank = markedPicture({ sheet: 0, side: 'back' });
  return { front: await filePicture(front), back: back === undefined ? blank : await filePicture(back) };
}

/** A client of some other program may have the port for a moment: systems give closed servers' ports to connections. */
const TAKEN_MS = 10_000;

/** @throws the system's error, such as `EADDRINUSE` */
async function listen(server: Server, port = 0): Promise<Server> {
  const until = Date.now() + TAKEN_MS;
  for (;;) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return server;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || Date.now() > until) throw error;
      await pause(100);
    }
  }
}

async function end(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

async function note(request: IncomingMessage, into: DeviceRequest[]): Promise<DeviceRequest> {
  const { method = '', url = '', headers } = request;
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const seen: DeviceRequest = { method, path: url, headers, body: Buffer.concat(parts).toString(), status: undefined };
  into.push(seen);
  return seen;
}

function witness(strayed: DeviceRequest[]): RequestListener {
  return (request, response) =>
    void note(request, strayed).then(
      () => response.writeHead(404).end(),
      () => response.destroy(),
    );
}
