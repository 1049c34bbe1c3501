/** One TWAIN source in a helper: its operations, and the way back from each state. */
import type { Log } from '@platen/core/plugin';
import type { Frame, Helper } from '@platen/driver-kit';
import { capabilityCodes, type CapabilityName } from './capabilityCodes.js';
import { CC, Refusal, unlessRefused } from './conditions.js';
import { decodeContainer, encodeContainer, type Container } from './containers.js';
import type { Loading } from './culprits.js';
import { createLink } from './link.js';
import { createManager, type Identity } from './manager.js';
import type { Deadlines } from './settings.js';
import { numbers, wayDown, type Down, type State } from './states.js';
import { readDeviceEvent, readPending, sizes } from './structures.js';
import { DAT, DG, MSG, RC } from './triplets.js';

export type Happening = 'ready' | 'closing' | 'nothing' | { readonly deviceEvent: number };

export interface Handle {
  readonly state: State;
  /** The source is open, in this process. */
  readonly isOpen: boolean;
  sources(): Promise<readonly Identity[]>;
  /** Opens the source where it is not open, or not any more. @returns whether it did: its settings are as the driver begins with */
  open(product: string): Promise<boolean>;
  cap(msg: number, name: CapabilityName, container?: Container): Promise<{ readonly rc: number; readonly cc: number; readonly container: Container | undefined }>;
  /** A structure of so many bytes, as the source fills it. @throws Refusal */
  read(what: string, dg: number, dat: number, msg: number, bytes: number | Uint8Array): Promise<Uint8Array>;
  /** @returns whether the source shows a window although it was told not to */
  enable(): Promise<boolean>;
  /** At most so long. */
  wait(ms: number): Promise<Happening>;
  /** The oldest that nobody has asked for; undefined where there is none. */
  deviceEvent(): Promise<number | undefined>;
  /** The page that is ready; every frame of it as it comes. @returns TWRC_SUCCESS where more of it is to come @throws Refusal */
  transfer(verb: 'native' | 'strips', args: Readonly<Record<string, number>>, onFrame: (frame: Frame) => void): Promise<number>;
  /** After each page that came, or that was cancelled. @returns how many follow; `MORE` where the source does not know */
  endTransfer(): Promise<number>;
  /** Feed nothing more; what was fed still comes. @returns whether the source does that */
  stopFeeder(): Promise<boolean>;
  /** Goes down to the state, whatever the source says to it. @param patience for the natural event of a page that is on its way */
  settle(target: State, patience?: number): Promise<void>;
  interrupt(): void;
  kill(reason: string): void;
}

export function createHandle(helper: Helper, deadlines: Deadlines, log: Log, loading: Loading): Handle {
  const link = createLink(helper);
  const manager = createManager(link, deadlines, log, loading);
  const pending = (msg: number) => handle.read(`PENDINGXFERS ${msg.toString(16)}`, DG.CONTROL, DAT.PENDINGXFERS, msg, sizes.pendingXfers);

  const steps: Readonly<Record<Exclude<Down, 'leave' | 'wait'>, () => Promise<void>>> = {
    endTransfer: async () => void (await handle.endTransfer()),
    async resetTransfers() {
      try {
        await pending(MSG.RESET);
      } catch (error) {
        if (!(error instanceof Refusal && error.cc === CC.SEQERROR)) throw error;
        // It takes a transfer that failed for one that began.
        await pending(MSG.ENDXFER);
        await pending(MSG.RESET).catch(unlessRefused);
      }
      link.happened('reset');
    },
    async disable() {
      await link.must('DISABLEDS', 'disable', {}, deadlines.enable);
      link.happened('disabled');
    },
    async closeSource() {
      await link.must('CLOSEDS', 'closeSource', {}, deadlines.operation);
      link.happened('sourceClosed');
    },
    async closeDsm() {
      await link.must('CLOSEDSM', 'closeDsm', {}, deadlines.operation);
      link.happened('dsmClosed');
    },
  };

  /**
   * One step. A transfer that refuses to be ended is taken to be over. A source that refuses to be disabled or closed, and a manager that does,
   * would stay open behind our back and refuse every later opening: its process ends instead.
   */
  async function descend(step: Exclude<Down, 'leave' | 'wait'>): Promise<void> {
    const from = link.state;
    try {
      await steps[step]();
    } catch (error) {
      if (link.state === 'absent') return;
      if (!(error instanceof Refusal) || !isOfTransfer(step)) return link.kill(`the driver refused ${step}`);
      if (link.state === from) link.happened('refused');
    }
  }

  const handle: Handle = {
    get state() {
      return link.state;
    },
    get isOpen() {
      return numbers[link.state] >= numbers.open;
    },
    sources: manager.sources,
    async open(product) {
      if (handle.isOpen) return false;
      await manager.openSource(product);
      link.happened('sourceOpened');
      return true;
    },
    async cap(msg, name, container) {
      const sent = container && encodeContainer(container);
      const what = sent ? { conType: sent.conType, container: Buffer.from(sent.bytes).toString('base64') } : {};
      const { rc, cc, header, data } = await link.ask('cap', { msg, cap: capabilityCodes[name].code, ...what }, deadlines.operation);
      return { rc, cc, container: data.length > 0 ? decodeContainer(Number(header['conType']), data) : undefined };
    },
    async read(what, dg, dat, msg, bytes) {
      const structure = Buffer.from(typeof bytes === 'number' ? new Uint8Array(bytes) : bytes).toString('base64');
      const { rc, cc, data } = await link.ask('triplet', { dest: 'source', dg, dat, msg, bytes: structure }, deadlines.page);
      if (rc !== RC.SUCCESS && rc !== RC.CHECKSTATUS) throw new Refusal(what, rc, cc);
      if (data.length < (typeof bytes === 'number' ? bytes : bytes.length)) throw new Refusal(`${what} without its structure`, rc, cc);
      return data;
    },
    async enable() {
      const { rc, cc } = await link.ask('enable', {}, Math.max(deadlines.enable, deadlines.page));
      if (rc !== RC.SUCCESS && rc !== RC.CHECKSTATUS) throw new Refusal('ENABLEDS', rc, cc);
      link.happened('enabled');
      return rc === RC.CHECKSTATUS;
    },
    async wait(ms) {
      const { header } = await link.ask('wait', { ms: Math.ceil(ms) }, ms + deadlines.operation);
      const event = header['event'];
      if (event === 'xferready') {
        link.happened('ready');
        return 'ready';
      }
      if (event === 'closerequest' || event === 'closeok') {
        link.happened('finished');
        return 'closing';
      }
      const deviceEvent = event === 'deviceevent' ? await handle.deviceEvent() : undefined;
      return deviceEvent === undefined ? 'nothing' : { deviceEvent };
    },
    async deviceEvent() {
      const data = await handle.read('DEVICEEVENT', DG.CONTROL, DAT.DEVICEEVENT, MSG.GET, sizes.deviceEvent).catch(unlessRefused);
      return data && readDeviceEvent(data);
    },
    async transfer(verb, args, onFrame) {
      let failure: { readonly error: unknown } | undefined;
      const onMore = (frame: Frame) => {
        // A strip that came is a transfer that began, whatever the next one says.
        if (link.state === 'ready') link.happened('transferBegan');
        // What cannot be used is read to its end: the helper has its state, and goes on.
        try {
          if (!failure) onFrame(frame);
        } catch (error) {
          failure = { error };
        }
      };
      const { rc, cc } = await link.ask(verb, args, deadlines.page, { onMore }).catch((error: unknown) => {
        if ((error as { status?: unknown }).status === 'TOOBIG') link.happened('transferBegan');
        throw error;
      });
      if (rc === RC.SUCCESS || rc === RC.XFERDONE || rc === RC.CANCEL) link.happened('transferBegan');
      if (failure) throw failure.error;
      if (rc !== RC.SUCCESS && rc !== RC.XFERDONE) throw new Refusal(verb === 'native' ? 'IMAGENATIVEXFER' : 'IMAGEMEMXFER', rc, cc);
      return rc;
    },
    async endTransfer() {
      const count = readPending(await pending(MSG.ENDXFER));
      link.happened(count === 0 ? 'endedNone' : 'endedMore');
      return count;
    },
    async stopFeeder() {
      return pending(MSG.STOPFEEDER).then(() => true, (error: unknown) => {
        if (error instanceof Refusal) return false;
        throw error;
      });
    },
    async settle(target, patience = 0) {
      for (let step = wayDown(link.state, target); step && step !== 'leave'; step = wayDown(link.state, target)) {
        if (step !== 'wait') await descend(step);
        else await natural(patience);
      }
    },
    interrupt: link.interrupt,
    kill: link.kill,
  };

  /** Out of state 5 by the natural event, or for want of one. */
  async function natural(patience: number): Promise<void> {
    const until = performance.now() + patience;
    try {
      for (let left = patience; left > 0 && link.state === 'enabled'; left = until - performance.now()) await handle.wait(left);
    } catch {
      if (link.state !== 'absent') link.kill('the driver could not be waited for');
    }
    if (link.state === 'enabled') link.happened('finished');
  }

  return handle;
}

function isOfTransfer(step: Down): boolean {
  return step === 'endTransfer' || step === 'resetTransfers';
}
