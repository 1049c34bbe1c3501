/** The serving end of one transport: does what each message of the calling end asks of the driver. */
import { ScanError, type Device, type Driver, type Log, type Page } from '@platen/core/plugin';
import { checkedDriver, countOf, flagOf, textOf, type Fields } from '@platen/core/wire';
import type { Frame } from '@platen/driver-kit';
import { insertInto } from '../facets.js';
import { createBandBuffer, IMAGE_BYTES, type BandBuffer } from './bandBuffer.js';
import { errorFields, readReason } from './errorFields.js';
import { createEvents } from './events.js';
import { pageFields, readOrder } from './scanFields.js';
import type { Sender } from './sender.js';
import { serverVerbs, sessionOf, type ServerCall } from './serverCalls.js';
import { createServerSessions } from './serverSessions.js';
import { serveStream, type ServerStream, type ServerStreamParts } from './serverStream.js';

/** Calls that are not answered yet; a client of ours never has as many. */
const MOST_CALLS = 1000;

interface Work {
  abort(reason: ScanError): void;
  readonly stream?: ServerStream;
  /** An image that is arriving. */
  readonly image?: BandBuffer;
  onImage?(): void;
}

export interface RpcServer {
  /** @throws Error on what breaks the protocol */
  take(frame: Frame): void;
  place(header: Fields, length: number): Uint8Array | undefined;
  /** Abandons what is under way, closes every session; never rejects. */
  close(): Promise<void>;
}

/** @param served is checked here: what it hands over wrongly fails the call, and not the connection */
export function createRpcServer(served: Driver, sender: Sender, log: Log): RpcServer {
  const driver = checkedDriver(served, log);
  const sessions = createServerSessions(driver, createEvents(sender), log);
  const verbs = serverVerbs(sessions);
  const works = new Map<number, Work>();
  let last = 0;

  function begin(header: Fields): void {
    const id = (last = countOf(header, 'call', last + 1));
    if (works.size >= MOST_CALLS) throw new Error(`more than ${MOST_CALLS} calls wait for their answers`);
    const verb = textOf(header, 'verb');
    if (verb === 'devices') return void beginStream(id, devicesOf(id));
    if (verb === 'scan') return beginScan(id, header);
    if (verb === 'insert') return beginInsert(id, header);
    const call = verbs.get(verb);
    if (!call) throw new Error(`there is no verb ${verb}`);
    const abandon = new AbortController();
    works.set(id, { abort: reason => abandon.abort(reason) });
    run(id, call(header, id), abandon.signal);
  }

  function run(id: number, call: ServerCall, signal: AbortSignal): void {
    void (async () => sender.send({ answer: id, ...(await call(signal)) }))()
      .catch((error: unknown) => fail(id, error))
      .finally(() => works.delete(id));
  }

  function fail(id: number, error: unknown): Promise<void> {
    return sender.send({ fail: id, ...errorFields(error) });
  }

  function beginStream<T>(id: number, parts: StreamParts<T>, onOver?: () => void): ServerStream {
    const stream = serveStream<T>({
      ...parts,
      over(outcome) {
        onOver?.();
        void ('error' in outcome ? fail(id, outcome.error) : sender.send({ end: id })).then(() => works.delete(id));
      },
    });
    works.set(id, { stream, abort: stream.abort });
    return stream;
  }

  function devicesOf(id: number): StreamParts<Device> {
    return { begin: call => driver.devices(call), deliver: device => sender.send({ item: id, device }) };
  }

  function beginScan(id: number, header: Fields): void {
    const session = sessionOf(header, id);
    const order = readOrder(header.order);
    const scan: ServerStream = beginStream<Page>(
      id,
      {
        begin: call => sessions.get(session).scan(order, call),
        deliver: (page, cut) => sender.transfer(id, { item: id, ...pageFields(page, order.maxPixels) }, page.data, cut),
      },
      () => sessions.scansOf(session).delete(scan),
    );
    sessions.scansOf(session).add(scan);
  }

  function beginInsert(id: number, header: Fields): void {
    const device = textOf(header, 'device');
    const bytes = countOf(header, 'bytes', 0, IMAGE_BYTES);
    if ([...works.values()].some(work => work.image)) throw new Error('two images come at once');
    const image = createBandBuffer(bytes);
    const insert: ServerCall = () => insertInto(driver, device, image.data);
    const onImage = (): void => {
      works.set(id, { abort: () => undefined });
      run(id, insert, new AbortController().signal);
    };
    works.set(id, { abort: () => undefined, image, onImage });
    if (bytes === 0) onImage();
  }

  /** Undefined if the call is over: its last message and this one crossed on the way. */
  function workOf(header: Fields, name: string): Work | undefined {
    return works.get(countOf(header, name, 1, last));
  }

  function streamOf(header: Fields, name: string): ServerStream | undefined {
    const work = workOf(header, name);
    if (work && !work.stream) throw new Error(`${name} of a call that has nothing to pull`);
    return work?.stream;
  }

  /** The reason is read even if the call is over: a wrong one breaks the protocol. */
  function abort(header: Fields): void {
    const work = workOf(header, 'abort');
    const reason = readReason(header);
    work?.abort(reason);
  }

  return {
    take({ header, data }) {
      if (data.length > 0 && header.band === undefined) throw new Error('bytes that no message announced');
      if (header.call !== undefined) begin(header);
      else if (header.pull !== undefined) streamOf(header, 'pull')?.pull();
      else if (header.stop !== undefined) streamOf(header, 'stop')?.stop();
      else if (header.leave !== undefined) streamOf(header, 'leave')?.leave();
      else if (header.abort !== undefined) abort(header);
      else if (header.watch !== undefined) sessions.watch(countOf(header, 'watch', 1, last), flagOf(header, 'on'));
      else if (header.band !== undefined) {
        const work = workOf(header, 'band');
        if (!work?.image) throw new Error('a band of a call that takes no bytes');
        if (work.image.take(data)) work.onImage?.();
      } else throw new Error(`a message of an unknown kind: ${Object.keys(header).slice(0, 5).join(', ')}`);
    },
    place: (header, length) => (header.band === undefined ? undefined : workOf(header, 'band')?.image?.place(length)),
    async close() {
      const reason = new ScanError('cancelled', 'The connection to the program that scans was lost.');
      for (const work of works.values()) work.abort(reason);
      await Promise.all([sessions.closeAll(), sessions.settled()]);
    },
  };
}

type StreamParts<T> = Omit<ServerStreamParts<T>, 'over'>;
