/** Asks the holder of a lock for its process id. */
import { connect } from 'node:net';
import { systemCode } from './error.js';

export type Holder = { readonly alive: false } | { readonly alive: true; readonly pid: number | undefined };

/** A suspended or busy holder accepts the connection but does not answer: it is alive. */
const ANSWER_MS = 2000;

/** Not alive: nothing listens at the name, or the name is gone. */
export function askHolder(path: string): Promise<Holder> {
  return new Promise(resolve => {
    let answer = '';
    const socket = connect(path);
    const done = (holder: Holder): void => {
      socket.destroy();
      resolve(holder);
    };
    const alive = (): void =>
      done({ alive: true, pid: /^\d+\n/.test(answer) ? Number.parseInt(answer, 10) : undefined });
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
