/**
 * The driver of a plugin in another process, as if it were local. While the process is down, its scanners are offline.
 */
import {
  codeOf,
  ScanError,
  wrapDriver,
  wrapPages,
  wrapSession,
  type Device,
  type Driver,
  type Session,
} from '@platen/core';
import type { RemoteDriver } from '@platen/driver-remote';
import type { Supervisor } from './supervisor.js';

export interface IsolatedDriverParts {
  readonly id: string;
  readonly remote: RemoteDriver;
  readonly supervisor: Pick<Supervisor, 'generation' | 'running' | 'away' | 'settled' | 'close'>;
}

/** The driver has no `link`, which would mean the desktop application. @param parts.remote is connected */
export function isolatedDriver({ id, remote, supervisor }: IsolatedDriverParts): Driver {
  let known: readonly Device[] = [];

  /** For calls that start while the process is down. */
  function assertThere(): void {
    if (!supervisor.running) throw new ScanError('device-offline', supervisor.away);
  }

  /** `not-connected` would mean the desktop application. If the process ended during a call, the driver has failed. */
  async function explained(error: unknown, generation: number): Promise<unknown> {
    if (codeOf(error) !== 'not-connected' || (supervisor.running && generation === supervisor.generation)) return error;
    const begun = generation === supervisor.generation;
    await supervisor.settled();
    return begun
      ? new ScanError('driver-failed', supervisor.away)
      : new ScanError('device-offline', 'The process that had the scanner open has ended. Open the scanner again.');
  }

  async function there<T>(work: () => Promise<T>): Promise<T> {
    assertThere();
    const { generation } = supervisor;
    try {
      return await work();
    } catch (error) {
      throw await explained(error, generation);
    }
  }

  function sessionHere(session: Session): Session {
    const { generation } = supervisor;
    const orWhy = <T>(doing: Promise<T>): Promise<T> =>
      doing.catch(async (error: unknown) => Promise.reject(await explained(error, generation)));
    async function inIt<T>(work: () => Promise<T>): Promise<T> {
      if (generation === supervisor.generation) assertThere();
      return orWhy(work());
    }
    return wrapSession(session, {
      capabilities: call => inIt(() => session.capabilities(call)),
      status: call => inIt(() => session.status(call)),
      watch:
        session.watch &&
        (onEvent => {
          const ends = [session.watch!(onEvent), remote.link.onChange(connected => connected || onEvent('offline'))];
          return () => ends.forEach(end => end());
        }),
      scan(order, call) {
        let begun = false;
        return wrapPages(session.scan(order, call), {
          pull(next) {
            if (begun) return orWhy(next());
            begun = true;
            return inIt(next);
          },
        });
      },
    });
  }

  const offline = (devices: readonly Device[]): Device[] => devices.map(device => ({ ...device, online: false }));

  return wrapDriver(remote, {
    id,
    link: undefined,
    async *devices(call) {
      call.signal.throwIfAborted();
      const found: Device[] = [];
      try {
        if (supervisor.running) {
          for await (const device of remote.devices(call)) {
            found.push(device);
            yield device;
          }
          known = found;
          return;
        }
      } catch (error) {
        if (supervisor.running || codeOf(error) !== 'not-connected') throw error;
      }
      yield* offline(known.filter(device => !found.some(({ id: its }) => its === device.id)));
    },
    async open(deviceId, call) {
      return sessionHere(await there(() => remote.open(deviceId, call)));
    },
    // Present even while the process is down: the call then fails with the reason.
    insert: remote.insert && ((deviceId, image) => there(async () => remote.insert!(deviceId, image))),
    close: () => supervisor.close(),
  });
}
