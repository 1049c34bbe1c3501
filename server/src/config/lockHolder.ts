/** Asks the holder of a lock who it is. */
import { connect } from 'node:net';
import { systemCode } from './error.js';

export type Holder = { readonly alive: false } | { readonly alive: true; readonly pid: number | undefined };

/** A holder that is stopped or busy takes the connection and says nothing: it is alive all the same. */
const ANSWER_MS = 2000;

/** Not alive: nobody listens behind the name, or the name is gone. */
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
