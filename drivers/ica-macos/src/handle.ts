/** One scanner's verbs, in the order that its session's states allow, each with its deadline. */
import { codeOf, ScanError } from '@platen/core/plugin';
import { boundHelper, statusOf, type BoundCall, type Frame, type Helper } from '@platen/driver-kit';
import { createDeviceError } from './deviceError.js';
import { browse, type HelperEvent } from './events.js';
import { patience, stepSession, type SessionEffect, type SessionEvent, type SessionState } from './sessionMachine.js';
import type { Deadlines } from './settings.js';
import { readDescription, type Described, type Unit } from './unit.js';

export type ScanHow = Pick<BoundCall, 'place' | 'onMore'>;

export interface Handle {
  /** Finds the scanner and opens it, unless it is open. */
  ensure(): Promise<void>;
  readonly isOpen: boolean;
  /** The browser's name for it; its id until then. */
  readonly name: string;
  describe(): Promise<Described>;
  /** Selects a unit. @returns its properties @throws ScanError `driver-failed` if another unit is selected */
  select(type: number): Promise<Unit>;
  /** Sets up the selected unit. @returns the settings that it accepted */
  set(settings: object): Promise<Frame['header']>;
  /** @returns the vendor's features of the selected unit, as the helper describes them */
  features(): Promise<readonly Frame['header'][]>;
  /** Sets a feature to its value in the helper's form. @returns as `features`: others may have come or gone */
  setFeature(index: number, value: number): Promise<readonly Frame['header'][]>;
  /** Scans; resolves when ImageCaptureCore reports that the scan is complete. */
  scan(args: object, how: ScanHow): Promise<void>;
  /** Stops feeding after the next complete sheet. @param sides of a sheet */
  finish(sides: number): Promise<void>;
  /** Cancels the running scan; kills the helper if the scan does not end in time. */
  abandon(reason: string): Promise<void>;
  /** Closes only the session; the helper stays. */
  close(): Promise<void>;
}

export interface HandleParts {
  readonly helper: Helper;
  readonly device: string;
  readonly network: boolean;
  readonly deadlines: Deadlines;
}

export function createHandle({ helper, device, network, deadlines }: HandleParts): Handle {
  let state: SessionState = 'closed';
  let scanning: Promise<unknown> = Promise.resolve();
  /** Undefined: the browser has not reported it yet. */
  let isThere: boolean | undefined;
  let onSaid: (() => void) | undefined;
  let called = device;
  const told = createDeviceError(deadlines.settle, () => {
    void handle.abandon('the scanner reported an error but did not end its scan').catch(() => undefined);
  });
  const bound = boundHelper(helper, why => {
    if (codeOf(why) === 'timeout' && patience[state]) move('late');
    state = 'closed';
    says(false);
  });

  function says(there: boolean): void {
    isThere = there;
    onSaid?.();
  }

  function onEvent(said: HelperEvent): void {
    const { event, device: about, name } = said;
    const isOurs = about === device;
    if (event === 'added' && isOurs) called = name || device;
    if (event === 'added' && isOurs) says(true);
    if (event === 'removed' && isOurs) says(false);
    if (event === 'enumerated' && !network && isThere === undefined) says(false);
    if (event === 'error' && (state === 'scanning' || state === 'finishing')) told.hear(said);
    if (event === 'closed' || (event === 'removed' && isOurs)) state = 'closed';
  }

  /** @returns the effect to carry out. @throws ScanError for an event that is not allowed in this state */
  function move(event: SessionEvent): SessionEffect | undefined {
    const step = stepSession(state, event);
    if (!step) throw new ScanError('driver-failed', `A session that is ${state} cannot ${event}.`);
    if (step.effect === 'kill') bound.kill(`the scanner did not answer while its session was ${state}`);
    state = step.state;
    return step.effect;
  }

  async function ask(verb: string, args: object, deadlineMs: number, more: ScanHow = {}): Promise<Frame> {
    try {
      return await bound.call(verb, args, { deadlineMs, ...more });
    } catch (error) {
      const status = statusOf(error);
      if (status === 'REMOVED' || status === 'CLOSED') state = 'closed';
      // It was disconnected before this verb came: the helper has no scanner any more.
      if (status === 'BAD_REQUEST' && isThere === false)
        throw Object.assign(new Error('the scanner was disconnected', { cause: error }), { status: 'REMOVED' });
      throw error;
    }
  }

  async function askFeatures(verb: string, args: object = {}): Promise<readonly Frame['header'][]> {
    const headers: Frame['header'][] = [];
    await ask(verb, args, deadlines.describe, { onMore: ({ header }) => void headers.push(header) });
    return headers;
  }

  /** Applies an event and runs the verb that follows. @returns the verb's answer, if any */
  async function advance(event: SessionEvent, args: object = {}): Promise<Frame | undefined> {
    const verb = move(event);
    const awaited = patience[state];
    if (!verb || !awaited) return undefined;
    try {
      return await ask(verb, args, deadlines[awaited]);
    } catch (error) {
      if (state !== 'closed') move(state === 'selecting' ? 'selected' : 'gone');
      throw error;
    }
  }

  /** Starts browsing once per process; its events follow. */
  async function look(): Promise<void> {
    move('look');
    let timer: NodeJS.Timeout | undefined;
    try {
      if (!bound.isBound) {
        isThere = undefined;
        await browse(bound, { network }, deadlines.look, onEvent);
      }
      const said = new Promise<void>(resolve => (onSaid = resolve));
      timer = setTimeout(() => onSaid?.(), deadlines.look);
      if (isThere === undefined) await said;
    } catch (error) {
      move('gone');
      throw error;
    } finally {
      clearTimeout(timer);
      onSaid = undefined;
    }
    if (isThere) return;
    move('gone');
    throw Object.assign(new Error('the browser did not find it'), { status: 'NOT_FOUND' });
  }

  const handle: Handle = {
    get name() {
      return called;
    },
    get isOpen() {
      return state !== 'closed' && bound.isBound;
    },
    async ensure() {
      if (handle.isOpen) return;
      state = 'closed';
      await look();
      await advance('found', { device });
      await advance('opened');
      move('isReady');
    },
    describe: async () => readDescription((await ask('describe', {}, deadlines.describe)).header),
    async select(type) {
      let now = (await handle.describe()).unit;
      if (now?.type !== type) {
        const selected = await advance('select', { unit: type });
        move('selected');
        now = selected && readDescription(selected.header).unit;
      }
      if (now?.type !== type)
        throw new ScanError('driver-failed', 'The scanner selected none of its units when asked for one.');
      return now;
    },
    set: async settings => (await ask('set', settings, deadlines.describe)).header,
    features: () => askFeatures('features'),
    setFeature: (index, value) => askFeatures('feature', { index, value }),
    async scan(args, { onMore, ...how }) {
      move('scan');
      told.begin();
      const goesOn: ScanHow['onMore'] = frame => {
        told.forget();
        return onMore?.(frame);
      };
      const call = ask('scan', args, deadlines.scan, { ...how, onMore: goesOn });
      const ended = call.then(
        () => undefined,
        (error: unknown) => error,
      );
      scanning = ended;
      const failure = told.verdict(await ended);
      if (stepSession(state, 'scanned')) move('scanned');
      if (failure !== undefined) throw failure;
    },
    async finish(sides) {
      if (state === 'scanning') await advance('finish', { every: sides });
    },
    async abandon(reason) {
      if (!stepSession(state, 'cancel')) return;
      move('cancel');
      const late = setTimeout(() => bound.kill(reason), deadlines.cancel);
      void ask('cancel', {}, deadlines.cancel).catch(() => undefined);
      await scanning;
      clearTimeout(late);
    },
    async close() {
      if (!handle.isOpen) return;
      await advance('close');
      move('closed');
    },
  };
  return handle;
}
