/** One SANE device in a helper: its verbs. Opened again after the helper was replaced. */
import { ScanError } from '@platen/core/plugin';
import { boundHelper, type BoundCall, type Frame, type Helper } from '@platen/driver-kit';
import { startDeadline, type Deadlines } from './settings.js';

export interface Range {
  readonly min: number;
  readonly max: number;
  /** The step from `min`; 0: none. */
  readonly quant: number;
}

export type Constraint = Range | { readonly words: readonly number[] } | { readonly strings: readonly string[] } | null;

export interface Descriptor {
  readonly index: number;
  /** `resolution`; the SANE standard and saneopts.h list the usual names. Empty for a group. */
  readonly name: string;
  /** For people; empty if the backend has none. */
  readonly title: string;
  readonly description: string;
  readonly type: 'bool' | 'int' | 'fixed' | 'string' | 'button' | 'group';
  readonly unit: 'none' | 'pixel' | 'bit' | 'mm' | 'dpi' | 'percent' | 'microsecond';
  /** The number of its values. */
  readonly count: number;
  /** Whether it is active with the other options' current values. */
  readonly active: boolean;
  readonly settable: boolean;
  readonly readable: boolean;
  /** Backends mark options that most people do not need. */
  readonly advanced?: boolean;
  readonly constraint: Constraint;
}

export type Descriptors = readonly Descriptor[];

export type Value = boolean | number | string;

/** SANE_Parameters. */
export interface Parameters {
  /** `gray`, `rgb`, `red`, `green`, `blue`, or a format unknown to Platen. */
  readonly format: string;
  readonly bytesPerLine: number;
  readonly pixelsPerLine: number;
  /** -1: not known in advance. */
  readonly lines: number;
  readonly depth: number;
}

export interface ReadHow {
  /** A page in three frames, one per colour. */
  readonly threePass: boolean;
  /** Keep the high byte of each 16-bit sample. */
  readonly high: boolean;
  readonly place?: NonNullable<BoundCall['place']>;
  /** Each band, in order. */
  onBand(data: Uint8Array): void;
}

export interface Handle {
  /** Opens the device unless it is open. @returns whether it did; then all options have the backend's defaults */
  ensure(): Promise<boolean>;
  /** False after the helper ended, for any reason. */
  readonly isOpen: boolean;
  options(): Promise<Descriptors>;
  get(index: number): Promise<unknown>;
  /** @returns whether the descriptors have changed */
  set(index: number, value: Value): Promise<boolean>;
  parameters(): Promise<Parameters>;
  /** Starts a page; a feeder feeds a sheet. @param bytes of the page, if known: a large one may take longer */
  start(bytes: number): Promise<void>;
  read(how: ReadHow): Promise<void>;
  /** Ends the scan. Does nothing without a scan or helper. */
  cancel(): Promise<void>;
  /** Cancels the running verb; kills the helper if it does not end in time. */
  abandon(reason: string): Promise<void>;
  /** Closes only the device; the helper stays. */
  close(): Promise<void>;
}

type Ask = (verb: string, args: object, deadlineMs: number, more?: Partial<BoundCall>) => Promise<Frame>;

export function createHandle(helper: Helper, device: string, deadlines: Deadlines): Handle {
  let isOpen = false;
  const bound = boundHelper(helper, () => void (isOpen = false));
  const pending = new Set<Promise<Frame>>();

  async function answer(asked: Promise<Frame>): Promise<Frame> {
    pending.add(asked);
    try {
      return await asked;
    } finally {
      pending.delete(asked);
    }
  }

  const ask: Ask = (verb, args, deadlineMs, more) => answer(bound.call(verb, args, { deadlineMs, ...more }));

  const handle: Handle = {
    get isOpen() {
      return isOpen && bound.isBound;
    },
    async ensure() {
      if (handle.isOpen) return false;
      if (!bound.isBound) await answer(bound.bind('init', {}, { deadlineMs: deadlines.init }));
      await ask('open', { device }, deadlines.open);
      return (isOpen = true);
    },
    options: async () => (await jsonOf(ask, 'options', {}, deadlines.option)) as Descriptors,
    get: async index => (await ask('get', { index }, deadlines.option)).header['value'],
    set: async (index, value) =>
      (await ask('set', { index, value }, deadlines.option)).header['reloadOptions'] === true,
    parameters: async () => parametersOf((await ask('parameters', {}, deadlines.option)).header),
    start: async bytes => void (await ask('start', {}, startDeadline(deadlines, bytes))),
    async read({ threePass, high, place, onBand }) {
      const onMore = ({ data }: Frame) => void (data.length > 0 && onBand(data));
      const args = { sample: high ? 'high' : 'all' };
      await ask(threePass ? 'merge' : 'read', args, deadlines.silence, { onMore, ...(place ? { place } : {}) });
    },
    async cancel() {
      if (handle.isOpen) await ask('cancel', {}, deadlines.cancel);
    },
    async abandon(reason) {
      if (pending.size === 0) return;
      const late = setTimeout(() => bound.kill(reason), deadlines.abandon);
      void ask('cancel', {}, deadlines.cancel).catch(() => undefined);
      await Promise.allSettled(pending);
      clearTimeout(late);
    },
    async close() {
      if (!handle.isOpen) return;
      isOpen = false;
      await ask('close', {}, deadlines.option);
    },
  };
  return handle;
}

/** A list that the helper sends as data, in one or more frames. */
export async function jsonOf(ask: Ask, verb: string, args: object, deadlineMs: number): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  const onMore = ({ data }: Frame) => void pieces.push(data);
  const last = await ask(verb, args, deadlineMs, { onMore });
  const text = Buffer.concat([...pieces, last.data]).toString();
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ScanError('driver-failed', `The SANE helper answered "${verb}" with invalid JSON.`, { cause: error });
  }
}

function parametersOf(header: Frame['header']): Parameters {
  const { format, bytesPerLine, pixelsPerLine, lines, depth } = header;
  const numbers = [bytesPerLine, pixelsPerLine, lines, depth];
  if (typeof format !== 'string' || !numbers.every(Number.isInteger)) {
    throw new ScanError('driver-failed', 'The SANE helper described a page without its size.');
  }
  return { format, bytesPerLine, pixelsPerLine, lines, depth } as Parameters;
}
