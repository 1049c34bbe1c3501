/** One open scanner: the verbs of its helper. Yours: what your helper asks and answers; no other file knows it. */
import { ScanError, settledWithin, unlessAborted, type DriverOption, type Pixels } from '@platen/core/plugin';
import { boundHelper, pageBuffer, type Helper, type PageBuffer, type PageRows } from '@platen/driver-kit';

/** The arguments of the verb `page`. */
export interface Settings {
  readonly dpi: number;
  readonly mode: number;
  readonly flatbed: boolean;
  readonly duplex: boolean;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface Scanner {
  readonly name: string;
  readonly options: readonly DriverOption[];
  /** Whether paper is in the feeder. */
  isLoaded(): Promise<boolean>;
  set(options: Readonly<Record<string, unknown>>): Promise<void>;
  /** The next side. @param ended gives up the wait; `end` then stops the scanner */
  page(settings: Settings, pixels: Pixels, maxPixels: number, ended: AbortSignal): Promise<PageRows>;
  /** Ends a scan, whatever it is doing; never throws. */
  end(): Promise<void>;
}

/** In milliseconds. */
export interface Deadlines {
  /** For a call that only asks. */
  readonly answerMs: number;
  /** For a scanner that sends nothing. */
  readonly silenceMs: number;
}

/** How long a cancelled page may take to end. A call of the SDK that does not return then loses its process. */
const CANCEL_MS = 1_000;

export async function openScanner(helper: Helper, id: string, { answerMs, silenceMs }: Deadlines): Promise<Scanner> {
  const bound = boundHelper(helper, () => undefined);
  let running: Promise<unknown> | undefined;
  const open = () => bound.bind('open', { device: id }, { deadlineMs: answerMs });

  /** After a crash, the scanner is opened again in another process. */
  async function ask(verb: string, args: object = {}) {
    if (!bound.isBound) await open();
    return (await bound.call(verb, args, { deadlineMs: answerMs })).header;
  }

  const { header } = await open();
  return {
    name: header['name'] as string,
    options: (header['options'] as Listed[]).map(optionOf),
    isLoaded: async () => (await ask('paper'))['loaded'] === true,
    set: async options => void (await ask('set', options)),
    async page(settings, pixels, maxPixels, ended) {
      let buffer: PageBuffer | undefined;
      let rows = 0;
      let bytes = 0;
      const call = bound.call('page', settings, {
        deadlineMs: silenceMs,
        // Bands go straight into the page's buffer.
        place: ({ at }, length) => buffer?.data.subarray(Number(at), Number(at) + length),
        onMore({ header: facts, data }) {
          if (buffer) {
            bytes += data.length;
            return;
          }
          rows = Number(facts['height']);
          const shape = { width: Number(facts['width']), height: rows, stride: Number(facts['stride']) };
          buffer = pageBuffer({ ...shape, pixels, maxPixels });
        },
      });
      running = call;
      await unlessAborted(call, ended);
      running = undefined;
      const page = buffer?.page(bytes);
      if (page?.height === rows) return page;
      throw new ScanError('driver-failed', `"${id}" sent ${page?.height ?? 0} of ${rows} rows of a page.`);
    },
    async end() {
      const page = running?.catch(() => undefined);
      running = undefined;
      if (page && bound.isBound) {
        const cancelled = ask('cancel').catch(() => undefined);
        if (!(await settledWithin(Promise.all([page, cancelled]), CANCEL_MS))) bound.kill('a page was not cancelled');
      }
      if (bound.isBound) await ask('end').catch(() => undefined);
    },
  };
}

/** An option of the scanner, as the helper's `open` lists it. */
interface Listed {
  readonly name: string;
  readonly title: string;
  readonly type: 'boolean' | 'integer';
  readonly minimum: number;
  readonly maximum: number;
  readonly initial: number;
}

function optionOf({ name, title, type, minimum, maximum, initial }: Listed): DriverOption {
  if (type === 'boolean') return { name, title, type, default: initial !== 0 };
  return { name, title, type, minimum, maximum, default: initial };
}
