/** One TWAIN data source in a helper, and its operations. */
import type { Log } from '@platen/core/plugin';
import type { Helper } from '@platen/driver-kit';
import { Refusal, unlessRefused } from '../protocol/conditions.js';
import { createConnection } from './connection.js';
import { capabilityCode, type CapabilityKey, DAT, DG, MSG, RC } from '../protocol/constants.js';
import { decodeContainer, encodeContainer, type Container } from '../protocol/containers.js';
import { createManager, type Identity } from './manager.js';
import { createStepsDown, type StepDownTo } from './stepsDown.js';
import { createTransfers, type Transfers } from './transfers.js';
import type { LoadGuard } from './quarantine.js';
import type { Deadlines } from '../settings.js';
import { numbers, type State } from '../protocol/states.js';
import { readDeviceEvent, sizes } from '../protocol/structures.js';

/** `closing`: the source asks to be closed. */
export type SourceEvent = 'ready' | 'closing' | 'nothing' | { readonly deviceEvent: number };

export interface CapabilityAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly container: Container | undefined;
}

export interface DataSource extends Omit<Transfers, 'resetTransfers'> {
  readonly state: State;
  /** The source is open, in this process. */
  readonly isOpen: boolean;
  /** All sources of the manager. */
  sources(): Promise<readonly Identity[]>;
  /** Opens the source unless it is open. @returns whether it did: then all settings are the defaults */
  open(product: string): Promise<boolean>;
  capability(msg: number, key: CapabilityKey, container?: Container): Promise<CapabilityAnswer>;
  /** Sends a structure, or one of this many zero bytes. @returns it as the source filled it @throws Refusal */
  read(what: string, dg: number, dat: number, msg: number, bytes: number | Uint8Array): Promise<Uint8Array>;
  /** @returns whether the source shows a window against the request */
  enable(): Promise<boolean>;
  /** `nothing` after this many milliseconds. */
  waitForEvent(ms: number): Promise<SourceEvent>;
  /** The oldest unread device event; undefined if there is none. */
  deviceEvent(): Promise<number | undefined>;
  /** Goes down to the state, even if the source refuses. */
  readonly stepDownTo: StepDownTo;
  interrupt(): void;
  kill(reason: string): void;
}

export function createDataSource(helper: Helper, deadlines: Deadlines, log: Log, guard: LoadGuard): DataSource {
  const connection = createConnection(helper);
  const manager = createManager(connection, deadlines, log, guard);
  const transfers = createTransfers(connection, deadlines);

  const source: DataSource = {
    get state() {
      return connection.state;
    },
    get isOpen() {
      return numbers[connection.state] >= numbers.open;
    },
    sources: manager.sources,
    async open(product) {
      if (source.isOpen) return false;
      await manager.openSource(product);
      connection.transition('sourceOpened');
      return true;
    },
    async capability(msg, key, container) {
      const sent = container && encodeContainer(container);
      const args = sent && { conType: sent.conType, container: Buffer.from(sent.bytes).toString('base64') };
      const cap = capabilityCode(key);
      const { rc, cc, header, data } = await connection.call('cap', { msg, cap, ...args }, deadlines.operation);
      return { rc, cc, container: data.length > 0 ? decodeContainer(Number(header['conType']), data) : undefined };
    },
    read: (what, dg, dat, msg, bytes) => connection.read(what, dg, dat, msg, bytes, deadlines.page),
    async enable() {
      const { rc, cc } = await connection.call('enable', {}, Math.max(deadlines.enable, deadlines.page));
      if (rc !== RC.SUCCESS && rc !== RC.CHECKSTATUS) throw new Refusal('ENABLEDS', rc, cc);
      connection.transition('enabled');
      return rc === RC.CHECKSTATUS;
    },
    async waitForEvent(ms) {
      const { header } = await connection.call('wait', { ms: Math.ceil(ms) }, ms + deadlines.operation);
      const event = header['event'];
      if (event === 'xferready') {
        connection.transition('ready');
        return 'ready';
      }
      if (event === 'closerequest' || event === 'closeok') {
        connection.transition('finished');
        return 'closing';
      }
      const deviceEvent = event === 'deviceevent' ? await source.deviceEvent() : undefined;
      return deviceEvent === undefined ? 'nothing' : { deviceEvent };
    },
    async deviceEvent() {
      const read = source.read('DEVICEEVENT', DG.CONTROL, DAT.DEVICEEVENT, MSG.GET, sizes.deviceEvent);
      const data = await read.catch(unlessRefused);
      return data && readDeviceEvent(data);
    },
    transfer: transfers.transfer,
    endTransfer: transfers.endTransfer,
    stopFeeder: transfers.stopFeeder,
    stepDownTo: createStepsDown({ connection, transfers, deadlines, waitForEvent: ms => source.waitForEvent(ms) }),
    interrupt: connection.interrupt,
    kill: connection.kill,
  };
  return source;
}
