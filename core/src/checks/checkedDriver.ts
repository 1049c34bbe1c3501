/** A driver whose every word is looked at before anybody believes it: in this process as at the far end of a link. */
import type { Capabilities, Device, Driver, Session } from '../contract/driver.js';
import { codeOf, plainWordsOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { wrapDriver, wrapPages, wrapSession } from '../contract/wrap.js';
import { readCapabilities, readDevice, readStatus } from './deviceFields.js';
import { fieldsOf } from './fields.js';
import { checkedPage } from './pageFields.js';

/** Sentences about devices that are left out: each is logged once, and a driver that has ever new ones is told of no more. */
const MOST_WARNINGS = 50;
/** Of an id or a fault, in a sentence. */
const MOST_WORDS = 300;

/**
 * The same driver; what it hands over wrongly is its fault:
 * - a device that is not well formed is left out, and logged once;
 * - capabilities, a status, a session or a page that are not are `driver-failed`, with the driver's id and what is wrong;
 *   a page over `maxPixels` is `unsupported`. The pages before it have been yielded.
 *
 * What the driver itself throws is thrown as it is.
 */
export function checkedDriver(driver: Driver, log: Log): Driver {
  const { id } = driver;
  const warned = new Set<string>();

  const warn = (sentence: string): void => {
    if (warned.has(sentence) || warned.size >= MOST_WARNINGS) return;
    warned.add(sentence);
    log.warn(sentence);
  };

  return wrapDriver(driver, {
    async *devices(call) {
      for await (const device of driver.devices(call) as AsyncIterable<unknown>) {
        const known = orElse(
          () => readDevice(device),
          error =>
            warn(
              `A scanner of the driver ${id}${idOf(device)} is left out: ${wordsOf(error)}. Ask the driver's vendor.`,
            ),
        );
        if (known) yield known;
      }
    },
    async open(deviceId, call) {
      const session = await driver.open(deviceId, call);
      try {
        return checkedSession(session, id);
      } catch (error) {
        await (session as Partial<Session> | undefined)?.close?.();
        throw error;
      }
    },
  });
}

function checkedSession(session: Session, driverId: string): Session {
  const of = <T>(what: string, read: () => T): T => attempt(read, `The driver ${driverId} ${what}`);
  of('opened no session', () => {
    const fields = fieldsOf(session, 'it');
    for (const name of ['capabilities', 'status', 'scan', 'close'])
      if (typeof fields[name] !== 'function') throw new TypeError(`it has no ${name}()`);
  });
  const device = (): Device => of('describes the scanner that it opened wrongly', () => readDevice(session.device));
  const { name } = device();
  return wrapSession(session, {
    get device() {
      return device();
    },
    async capabilities(call): Promise<Capabilities> {
      const answer: unknown = await session.capabilities(call);
      return of(`describes what ${name} can do wrongly`, () => readCapabilities(answer));
    },
    async status(call) {
      const answer: unknown = await session.status(call);
      return of(`describes the state of ${name} wrongly`, () => readStatus(answer));
    },
    scan(order, call) {
      const pages = session.scan(order, call);
      of('began no scan', () => {
        if (typeof fieldsOf(pages, 'what scan() returns')[Symbol.asyncIterator as never] !== 'function')
          throw new TypeError('what scan() returns cannot be iterated');
      });
      let count = 0;
      const read = (page: unknown) =>
        of(`handed over a page ${++count} that cannot be used`, () => checkedPage(page, order.maxPixels));
      return wrapPages(pages, { read });
    },
  });
}

/** @throws `driver-failed`, or the code that the check has for it, with the sentence and what is wrong */
function attempt<T>(read: () => T, sentence: string): T {
  return orElse(read, error => {
    throw new ScanError(codeOf(error) ?? 'driver-failed', `${sentence}: ${wordsOf(error)}.`, { cause: error });
  })!;
}

function orElse<T>(read: () => T, otherwise: (error: unknown) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    otherwise(error);
    return undefined;
  }
}

/** ` (usb:1)`, where there is an id. */
function idOf(device: unknown): string {
  const { id } = (device ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? ` (${id.slice(0, MOST_WORDS).replace(/\p{Cc}/gu, ' ')})` : '';
}

function wordsOf(error: unknown): string {
  return plainWordsOf(error).slice(0, MOST_WORDS);
}
