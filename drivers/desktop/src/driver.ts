/** The driver for the desktop application's scanners: dials the application, and passes on its drivers while connected. */
import type { Duplex } from 'node:stream';
import { systemClock, type Clock } from '@platen/core/driver';
import { codeOf, messageOf, type Driver, type DriverLink, type Log } from '@platen/core/plugin';
import { onceLog } from '@platen/driver-kit';
import { ownVersion, remoteDriver } from '@platen/driver-remote';

/** From the start to the first dial, and from one dial or ping to the next (interface, "Limits"). */
export const FIRST_DIAL_MS = 2000;
export const DIAL_MS = 5000;
/** After this many pings without an answer the connection counts as lost. */
const MOST_UNANSWERED = 2;

export interface DesktopParts {
  /**
   * @returns a stream to a desktop application that has proved its identity
   * @throws Error with a message for the log; its code is `channel-absent` if nothing listens
   */
  dial(): Promise<Duplex>;
  readonly log: Log;
  /** Real time when absent. */
  readonly clock?: Clock;
}

/** The release alone, of `1.2.0.7` and `1.2.0-rc.1`: two builds of one release count as the same version. */
const releaseOf = (version: string): string =>
  version
    .replace(/[-+].*$/, '')
    .split('.')
    .slice(0, 3)
    .join('.');

export function desktopDriver({
  dial,
  log,
  clock = systemClock,
}: DesktopParts): Driver & { readonly link: DriverLink } {
  const once = onceLog(log);
  const remote = remoteDriver(undefined, { id: 'desktop', log: once });
  const { close, link: far } = remote;
  let stream: Duplex | undefined;
  let dialling = false;
  let unanswered = 0;
  let trouble: string | undefined;
  let closed = false;

  async function dialOrPing(): Promise<void> {
    if (far.peer) return ping();
    if (dialling) return;
    dialling = true;
    try {
      const dialled = await dial();
      if (closed) return void dialled.destroy();
      stream = dialled;
      await remote.attach(dialled);
      unanswered = 0;
    } catch (error) {
      if (closed) return;
      const absent = (error as { code?: unknown } | null)?.code === 'channel-absent';
      trouble = absent ? undefined : messageOf(error);
      if (absent)
        once.info(`The desktop application is not running; trying to connect every ${DIAL_MS / 1000} seconds.`);
      // remoteDriver has logged why a handshake failed.
      else if (codeOf(error) !== 'not-connected') once.warn(messageOf(error));
    } finally {
      dialling = false;
    }
  }

  /** A process that hangs keeps its end of the channel open: only an answer shows that it works. */
  function ping(): void {
    const its = stream;
    if (unanswered >= MOST_UNANSWERED) {
      trouble = `It has not answered for ${(MOST_UNANSWERED * DIAL_MS) / 1000} seconds.`;
      its?.destroy(new Error('the desktop application stopped responding'));
      return;
    }
    unanswered++;
    const answered = (): void => {
      if (stream === its) unanswered = 0;
    };
    remote.ping({ signal: new AbortController().signal }).then(answered, () => undefined);
  }

  let cancel = clock.after(FIRST_DIAL_MS, function tick() {
    cancel = clock.after(DIAL_MS, tick);
    void dialOrPing();
  });
  far.onChange(connected => {
    once.again();
    if (connected) trouble = undefined;
    if (far.peer) welcome(far.peer.version);
    else if (!closed)
      log.warn(`The desktop application disconnected; trying to reconnect every ${DIAL_MS / 1000} seconds.`);
  });

  function welcome(version: string): void {
    log.info(`The desktop application, version ${version}, is connected.`);
    if (releaseOf(version) === releaseOf(ownVersion())) return;
    log.warn(
      `The desktop application is version ${version} and the service version ${ownVersion()}. They are compatible, but install the same version of Platen at both ends.`,
    );
  }

  const link: DriverLink = {
    get peer() {
      return far.peer;
    },
    get trouble() {
      return far.peer ? undefined : trouble;
    },
    onChange: far.onChange,
  };
  return Object.assign(remote, {
    link,
    close() {
      closed = true;
      cancel();
      return close();
    },
  });
}
