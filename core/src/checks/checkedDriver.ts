/** Wraps a driver and validates everything it delivers, in this process as well as at the far end of a link. */
import type { Capabilities, Device, Driver, Session } from '../contract/driver.js';
import { codeOf, plainWordsOf, ScanError } from '../contract/errors.js';
import type { Log } from '../contract/plugin.js';
import { wrapDriver, wrapPages, wrapSession } from '../contract/wrap.js';
import { readCapabilities, readDevice, readStatus } from './deviceFields.js';
import { fieldsOf } from './fields.js';
import { checkedPage } from './pageFields.js';

/** Messages about invalid devices: each is logged once, and at most this many per driver. */
const MOST_WARNINGS = 50;
/** Most characters of an id or a fault in a message. */
const MOST_WORDS = 300;

/**
 * The same driver, with its output validated:
 * - an invalid device is skipped, and logged once;
 * - invalid capabilities, status, session or page are `driver-failed`, with the driver's id and the fault;
 *   a page over `maxPixels` is `unsupported`. The pages before it have been yielded.
 *
 * Errors of the driver itself pass unchanged.
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
              `A scanner of the driver ${id}${idOf(device)} is skipped: ${wordsOf(error)}. Report this to the driver's vendor.`,
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
  of('did not return a session', () => {
    const fields = fieldsOf(session, 'it');
    for (const name of ['capabilities', 'status', 'scan', 'close'])
      if (typeof fields[name] !== 'function') throw new TypeError(`it has no ${name}()`);
  });
  const device = (): Device =>
    of('gave an invalid description of the scanner it opened', () => readDevice(session.device));
  const { name } = device();
  return wrapSession(session, {
    get device() {
      return device();
    },
    async capabilities(call): Promise<Capabilities> {
      const answer: unknown = await session.capabilities(call);
      return of(`reported invalid capabilities of ${name}`, () => readCapabilities(answer));
    },
    async status(call) {
      const answer: unknown = await session.status(call);
      return of(`reported an invalid status of ${name}`, () => readStatus(answer));
    },
    scan(order, call) {
      const pages = session.scan(order, call);
      of('did not start a scan', () => {
        if (typeof fieldsOf(pages, 'what scan() returns')[Symbol.asyncIterator as never] !== 'function')
          throw new TypeError('what scan() returns cannot be iterated');
      });
      let count = 0;
      const read = (page: unknown) =>
        of(`delivered an invalid page ${++count}`, () => checkedPage(page, order.maxPixels));
      return wrapPages(pages, { read });
    },
  });
}

/** @throws `driver-failed`, or the code of the fault, with the message and the fault */
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

/** ` (usb:1)` if there is an id. */
function idOf(device: unknown): string {
  const { id } = (device ?? {}) as { id?: unknown };
  return typeof id === 'string' && id !== '' ? ` (${id.slice(0, MOST_WORDS).replace(/\p{Cc}/gu, ' ')})` : '';
}

function wordsOf(error: unknown): string {
  return plainWordsOf(error).slice(0, MOST_WORDS);
}
