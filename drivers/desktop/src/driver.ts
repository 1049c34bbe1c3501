/** The driver whose scanners are the desktop application's: looks for it, and is its drivers while it is there. */
import type { Duplex } from 'node:stream';
import { codeOf, messageOf, type Driver, type DriverLink, type Log } from '@platen/core/plugin';
import { onceLog } from '@platen/driver-kit';
import { ownVersion, remoteDriver } from '@platen/driver-remote';

/** From the start to the first look, and from one look to the next (interface, "Limits"). */
export const FIRST_LOOK_MS = 2000;
export const LOOK_MS = 5000;
/** One that has not answered when it is looked for this often is not waited for any longer. */
const MOST_UNANSWERED = 2;

/** As a clock of core's has it. */
export type After = (ms: number, callback: () => void) => () => void;

export interface DesktopParts {
  /** Gives a stream to a desktop application that has proved to be one. @throws Error with a sentence; its code is `channel-absent` where nobody is there */
  dial(): Promise<Duplex>;
  readonly log: Log;
  /** Real time when absent. */
  readonly after?: After;
}

const realTime: After = (ms, callback) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Of `1.2.0.7` and `1.2.0-rc.1` the release alone: builds of one release are the same. */
const releaseOf = (version: string): string => version.replace(/[-+].*$/, '').split('.').slice(0, 3).join('.');

export function desktopDriver({ dial, log, after = realTime }: DesktopParts): Driver & { readonly link: DriverLink } {
  const once = onceLog(log);
  const remote = remoteDriver(undefined, { id: 'desktop', log: once });
  const { close, link: far } = remote;
  let stream: Duplex | undefined;
  let dialling = false;
  let unanswered = 0;
  let trouble: string | undefined;
  let closed = false;

  async function look(): Promise<void> {
    if (far.peer) return check();
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
      if (absent) once.info(`The desktop application is not there; it is looked for every ${LOOK_MS / 1000} seconds.`);
      // What ends a link that begins is in the log already.
      else if (codeOf(error) !== 'not-connected') once.warn(messageOf(error));
    } finally {
      dialling = false;
    }
  }

  /** A process that stands still keeps its end of the channel open: only an answer says that it is there. */
  function check(): void {
    const its = stream;
    if (unanswered >= MOST_UNANSWERED) {
      trouble = `It has not answered for ${(MOST_UNANSWERED * LOOK_MS) / 1000} seconds.`;
      its?.destroy(new Error('the desktop application does not answer any more'));
      return;
    }
    unanswered++;
    const answered = (): void => {
      if (stream === its) unanswered = 0;
    };
    remote.ping({ signal: new AbortController().signal }).then(answered, () => undefined);
  }

  let cancel = after(FIRST_LOOK_MS, function tick() {
    cancel = after(LOOK_MS, tick);
    void look();
  });
  far.onChange(connected => {
    once.again();
    if (connected) trouble = undefined;
    if (far.peer) welcome(far.peer.version);
    else if (!closed) log.warn(`The desktop application is not connected any more; it is looked for every ${LOOK_MS / 1000} seconds.`);
  });

  function welcome(version: string): void {
    log.info(`The desktop application, version ${version}, is connected.`);
    if (releaseOf(version) === releaseOf(ownVersion())) return;
    log.warn(`The desktop application is version ${version} and the service version ${ownVersion()}: they understand each other, but install the same version of Platen at both ends.`);
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
