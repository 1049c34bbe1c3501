/** One scanner's verbs, in the order that its session's states allow, each with its deadline. */
import { ScanError } from '@platen/core/plugin';
import type { BoundCall, Frame } from '@platen/driver-kit';
import { createConnection, type ConnectionParts } from './connection.js';
import { createDeviceError } from './deviceError.js';
import { readDescription, type Described, type Unit } from '../unit.js';

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

export type HandleParts = Omit<ConnectionParts, 'onScanError'>;

export function createHandle(parts: HandleParts): Handle {
  const { deadlines } = parts;
  let scanning: Promise<unknown> = Promise.resolve();
  const told = createDeviceError(deadlines.settle, () => {
    void handle.abandon('the scanner reported an error but did not end its scan').catch(() => undefined);
  });
  const connection = createConnection({ ...parts, onScanError: told.hear });
  const { ask, advance, move, allows } = connection;

  async function askFeatures(verb: string, args: object = {}): Promise<readonly Frame['header'][]> {
    const headers: Frame['header'][] = [];
    await ask(verb, args, deadlines.describe, { onMore: ({ header }) => void headers.push(header) });
    return headers;
  }

  const handle: Handle = {
    get name() {
      return connection.name;
    },
    get isOpen() {
      return connection.isOpen;
    },
    ensure: connection.open,
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
      if (allows('scanned')) move('scanned');
      if (failure !== undefined) throw failure;
    },
    async finish(sides) {
      if (allows('finish')) await advance('finish', { every: sides });
    },
    async abandon(reason) {
      if (!allows('cancel')) return;
      move('cancel');
      const late = setTimeout(() => connection.kill(reason), deadlines.cancel);
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
