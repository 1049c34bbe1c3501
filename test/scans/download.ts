/** A client that reads one answer at its own pace: it can pause, and hang up in the middle. */
import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { get } from 'node:https';
import type { Fixture } from '../topology/topology.js';

export interface Download {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of an answer that is complete. */
  readonly trailers: NodeJS.Dict<string>;
  /** What has come so far. */
  bytes(): Buffer;
  pause(): void;
  resume(): void;
  hangUp(): void;
  /** When nothing more comes: whether it is complete. */
  readonly ended: Promise<boolean>;
}

/** @param onData called with each part as it comes */
export async function download(
  { port }: Fixture,
  path: string,
  headers: OutgoingHttpHeaders = {},
  onData: (received: number) => void = () => undefined,
): Promise<Download> {
  const call = get({
    host: '127.0.0.1',
    port,
    path,
    headers: { host: `localhost:${port}`, ...headers },
    rejectUnauthorized: false,
    agent: false,
  });
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  call.on('error', () => undefined);
  const parts: Buffer[] = [];
  let received = 0;
  response.on('data', (part: Buffer) => {
    parts.push(part);
    onData((received += part.length));
  });
  response.on('error', () => undefined);
  const ended = new Promise<boolean>(resolve => response.once('close', () => resolve(response.complete)));
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    get trailers() {
      return response.trailers;
    },
    bytes: () => Buffer.concat(parts),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    hangUp: () => void call.destroy(),
    ended,
  };
}
