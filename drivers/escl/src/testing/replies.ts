/** Responses of the device, sent whole or with faults of the connection. */
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { endless } from './hostile.js';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** A JPEG that is sent whole has 4 MB of comments before its end. */
  readonly isLarge?: boolean;
  /**
   * torn: half of the body, then the connection ends. slow: in eight chunks. endless: 100 MB follow the body.
   * never: no response, the connection stays. cut: no response, the connection ends. `whole` when absent.
   */
  readonly manner?: 'whole' | 'torn' | 'slow' | 'endless' | 'never' | 'cut';
}

const SLOW_MS = 40;
const COMMENTS = 64;
/** COM, and the length of the rest. */
const comment = Buffer.alloc(2 + 0xffff);
comment.writeUInt32BE(0xff_fe_ff_ff);

/** @returns whether it was sent completely */
export async function send(response: ServerResponse, reply: Reply): Promise<boolean> {
  const { status, headers = {}, manner = 'whole', isLarge = false } = reply;
  const body = Buffer.from(reply.body ?? '');
  if (manner === 'never' || response.destroyed) return false;
  if (manner === 'cut') {
    response.destroy();
    return false;
  }
  if (manner === 'endless') {
    response.writeHead(status, headers);
    return pour(response, endless(body));
  }
  if (isLarge && manner === 'whole') {
    response.writeHead(status, { ...headers, 'Content-Length': body.length + COMMENTS * comment.length });
    return pour(response, commented(body));
  }
  response.writeHead(status, { ...headers, 'Content-Length': body.length });
  if (manner === 'torn') {
    // Destroying at once would discard what is still buffered.
    response.write(body.subarray(0, body.length >> 1), () => response.destroy());
    return false;
  }
  return pour(response, manner === 'slow' ? pieces(body) : [body]);
}

/** The same bytes again and again: the device takes no memory for them. */
function* commented(jpeg: Uint8Array): Generator<Uint8Array> {
  const end = jpeg.length - 2;
  yield jpeg.subarray(0, end);
  for (let i = 0; i < COMMENTS; i++) yield comment;
  yield jpeg.subarray(end);
}

async function pour(
  response: ServerResponse,
  parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const closed = once(response, 'close').catch(() => undefined);
  for await (const part of parts) {
    if (response.destroyed) return false;
    if (!response.write(part)) await Promise.race([once(response, 'drain'), closed]);
  }
  if (response.destroyed) return false;
  response.end();
  await closed;
  return response.writableFinished;
}

async function* pieces(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = Math.ceil(body.length / 8);
  for (let at = 0; at < body.length; at += size) {
    if (at > 0) await pause(SLOW_MS);
    yield body.subarray(at, at + size);
  }
}
