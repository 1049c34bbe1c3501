/** One TWAIN data source in a helper: its operations, and the steps down from each state. */
import type { Log } from '@platen/core/plugin';
import { statusOf, type Frame, type Helper } from '@platen/driver-kit';
import { CC, Refusal, unlessRefused } from '../protocol/conditions.js';
import { createConnection } from './connection.js';
import { capabilityCode, type CapabilityKey, DAT, DG, MSG, RC } from '../protocol/constants.js';
import { decodeContainer, encodeContainer, type Container } from '../protocol/containers.js';
import { createManager, type Identity } from './manager.js';
import type { LoadGuard } from './quarantine.js';
import type { Deadlines } from '../settings.js';
import { numbers, stepDown, type State, type StepDown } from '../protocol/states.js';
import { readDeviceEvent, readPending, sizes } from '../protocol/structures.js';

/** `closing`: the source asks to be closed. */
export type SourceEvent = 'ready' | 'closing' | 'nothing' | { readonly deviceEvent: number };

export interface CapabilityAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly container: Container | undefined;
}

export interface DataSource {
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
  /**
   * Transfers the page that is ready.
   * @param onFrame gets each frame as it arrives
   * @returns TWRC_SUCCESS if more of the page follows
   * @throws Refusal
   */
  transfer(
    verb: 'native' | 'strips',
    args: Readonly<Record<string, number>>,
    onFrame: (frame: Frame) => void,
  ): Promise<number>;
  /** After each page, even a cancelled one. @returns how many follow; `MORE` if the source does not know */
  endTransfer(): Promise<number>;
  /** Stops feeding; sheets already fed are still scanned. @returns whether the source supports that */
  stopFeeder(): Promise<boolean>;
  /**
   * Goes down to the state, even if the source refuses.
   * @param patienceMs time for a pending page to arrive
   */
  stepDownTo(target: State, patienceMs?: number): Promise<void>;
  interrupt(): void;
  kill(reason: string): void;
}

export function createDataSource(helper: Helper, deadlines: Deadlines, log: Log, guard: LoadGuard): DataSource {
  const connection = createConnection(helper);
  const manager = createManager(connection, deadlines, log, guard);
  const pending = (msg: number) =>
    source.read(`PENDINGXFERS ${msg.toString(16)}`, DG.CONTROL, DAT.PENDINGXFERS, msg, sizes.pendingXfers);

  const steps: Readonly<Record<Exclude<StepDown, 'leave' | 'wait'>, () => Promise<void>>> = {
    endTransfer: async () => void (await source.endTransfer()),
    async resetTransfers() {
      try {
        await pending(MSG.RESET);
      } catch (error) {
        if (!(error instanceof Refusal && error.cc === CC.SEQERROR)) throw error;
        // This source counts a failed transfer as begun.
        await pending(MSG.ENDXFER);
        await pending(MSG.RESET).catch(unlessRefused);
      }
      connection.transition('reset');
    },
    async disable() {
      await connection.mustSucceed('DISABLEDS', 'disable', {}, deadlines.enable);
      connection.transition('disabled');
    },
    async closeSource() {
      await connection.mustSucceed('CLOSEDS', 'closeSource', {}, deadlines.operation);
      connection.transition('sourceClosed');
    },
    async closeDsm() {
      await connection.mustSucceed('CLOSEDSM', 'closeDsm', {}, deadlines.operation);
      connection.transition('dsmClosed');
    },
  };

  /**
   * A transfer that the source refuses to end counts as over. A source that refuses to be disabled or closed, and
   * a manager that refuses to be closed, would stay open and refuse every later opening: their process ends instead.
   */
  async function takeStep(step: Exclude<StepDown, 'leave' | 'wait'>): Promise<void> {
    const from = connection.state;
    try {
      await steps[step]();
    } catch (error) {
      if (connection.state === 'absent') return;
      const isOfTransfer = step === 'endTransfer' || step === 'resetTransfers';
      if (!(error instanceof Refusal) || !isOfTransfer) return connection.kill(`the driver refused ${step}`);
      if (connection.state === from) connection.transition('refused');
    }
  }

  /** Waits in state 5 for the pending page, and continues without it after the time limit. */
  async function waitForNaturalEvent(patienceMs: number): Promise<void> {
    const until = performance.now() + patienceMs;
    try {
      for (let left = patienceMs; left > 0 && connection.state === 'enabled'; left = until - performance.now()) {
        await source.waitForEvent(left);
      }
    } catch {
      if (connection.state !== 'absent') connection.kill('waiting for the driver failed');
    }
    if (connection.state === 'enabled') connection.transition('finished');
  }

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
    async read(what, dg, dat, msg, bytes) {
      const sent = Buffer.from(typeof bytes === 'number' ? new Uint8Array(bytes) : bytes);
      const args = { dest: 'source', dg, dat, msg, bytes: sent.toString('base64') };
      const { rc, cc, data } = await connection.call('triplet', args, deadlines.page);
      if (rc !== RC.SUCCESS && rc !== RC.CHECKSTATUS) throw new Refusal(what, rc, cc);
      if (data.length < sent.length) throw new Refusal(`${what} without its structure`, rc, cc);
      return data;
    },
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
    async transfer(verb, args, onFrame) {
      let failure: { readonly error: unknown } | undefined;
      const onMore = (frame: Frame) => {
        // After one strip the transfer has begun, even if the next strip fails.
        if (connection.state === 'ready') connection.transition('transferBegan');
        // Unusable frames are read to the end: the helper keeps its state and continues.
        try {
          if (!failure) onFrame(frame);
        } catch (error) {
          failure = { error };
        }
      };
      const answer = connection.call(verb, args, deadlines.page, { onMore });
      const { rc, cc } = await answer.catch((error: unknown) => {
        if (statusOf(error) === 'TOOBIG') connection.transition('transferBegan');
        throw error;
      });
      if (rc === RC.SUCCESS || rc === RC.XFERDONE || rc === RC.CANCEL) connection.transition('transferBegan');
      if (failure) throw failure.error;
      if (rc === RC.SUCCESS || rc === RC.XFERDONE) return rc;
      throw new Refusal(verb === 'native' ? 'IMAGENATIVEXFER' : 'IMAGEMEMXFER', rc, cc);
    },
    async endTransfer() {
      const count = readPending(await pending(MSG.ENDXFER));
      connection.transition(count === 0 ? 'endedNone' : 'endedMore');
      return count;
    },
    async stopFeeder() {
      const answer = await pending(MSG.STOPFEEDER).catch(unlessRefused);
      return answer !== undefined;
    },
    async stepDownTo(target, patienceMs = 0) {
      for (;;) {
        const step = stepDown(connection.state, target);
        if (step === undefined || step === 'leave') return;
        if (step === 'wait') await waitForNaturalEvent(patienceMs);
        else await takeStep(step);
      }
    },
    interrupt: connection.interrupt,
    kill: connection.kill,
  };
  return source;
}
