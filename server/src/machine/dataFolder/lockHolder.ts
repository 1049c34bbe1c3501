/** Asks the holder of a lock for its process id, and what it is. */
import { connect } from 'node:net';
import { systemCode } from '../configError.js';

/** Where a service answers. */
export interface ServiceAddress {
  /** A name that it accepts in `Host`, without the port. */
  readonly host: string;
  /** 0: it does not listen yet, or no longer. */
  readonly port: number;
}

/** What uses a data folder, by its own words. */
export type Use =
  | ({
      readonly use: 'service';
      /** The absolute path of its configuration. */ readonly config: string;
    } & ServiceAddress)
  | { readonly use: 'scan' };

export interface LiveHolder {
  readonly alive: true;
  /** Undefined if it did not answer. */
  readonly pid: number | undefined;
  /** Undefined if it did not say: a channel's holder, and one that is suspended. */
  readonly use: Use | undefined;
}

export type Holder = { readonly alive: false } | LiveHolder;

/** A suspended or busy holder accepts the connection but does not answer: it is alive. */
const ANSWER_MS = 2000;

/** What a holder answers: its process id, then its use as JSON, each on a line. */
export function answerOf(use: Use | undefined): string {
  return `${process.pid}\n${use === undefined ? '' : `${JSON.stringify(use)}\n`}`;
}

/** Not alive: nothing listens at the name, or the name is gone. */
export function askHolder(path: string): Promise<Holder> {
  return new Promise(resolve => {
    let answer = '';
    const socket = connect(path);
    const done = (holder: Holder): void => {
      socket.destroy();
      resolve(holder);
    };
    const alive = (): void => done(read(answer));
    socket.setEncoding('utf8').setTimeout(ANSWER_MS, alive);
    socket.on('data', (text: string) => (answer += text));
    socket.on('end', alive);
    socket.on('error', error => {
      const code = systemCode(error);
      if (code === 'ECONNREFUSED' || code === 'ENOENT' || code === 'ENOTSOCK') done({ alive: false });
      else alive();
    });
  });
}

function read(answer: string): LiveHolder {
  const [, pid, use] = /^(\d+)\n(?:(.*)\n)?/.exec(answer) ?? [];
  return { alive: true, pid: pid === undefined ? undefined : Number(pid), use: use === undefined ? use : useOf(use) };
}

function useOf(text: string): Use | undefined {
  try {
    const { use, host, port, config } = JSON.parse(text) as Record<string, unknown>;
    if (use === 'scan') return { use };
    if (use !== 'service' || typeof host !== 'string' || typeof port !== 'number' || typeof config !== 'string')
      return undefined;
    return { use, host, port, config };
  } catch {
    return undefined;
  }
}
