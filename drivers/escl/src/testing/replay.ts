/** A device that answers from a table: recorded responses of real devices. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedReply {
  readonly status: number;
  /** `{origin}` stands for the device's own `http://127.0.0.1:port`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text, or lines of it. */
  readonly body?: string | readonly string[];
  /** A file beside the table, in place of the body. */
  readonly file?: string;
  /** The connection ends after the headers, which announce a body. */
  readonly cut?: boolean;
}

export interface RecordedRequest {
  /** Method and path: `GET /eSCL/ScannerStatus`. */
  readonly request: string;
  /** A pattern that the Host header must match; absent: any. */
  readonly host?: string;
  /** In turn; the last one is repeated. */
  readonly replies: readonly RecordedReply[];
}

export interface Recording {
  /** The device, and the source of its behaviour. */
  readonly device: string;
  readonly from: string;
  /** The first match answers a request; without a match it is 404. */
  readonly answers: readonly RecordedRequest[];
}

export interface Replay {
  readonly url: string;
  /** `POST /eSCL/ScanJobs`, in order. */
  readonly asked: readonly string[];
  /** The bodies of POST requests. */
  readonly posted: readonly string[];
  close(): Promise<void>;
}

/** @param folder the folder with the files of replies */
export async function startReplay({ answers }: Recording, folder: URL): Promise<Replay> {
  const asked: string[] = [];
  const posted: string[] = [];
  const given = new Map<RecordedRequest, number>();

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const what = `${request.method} ${request.url}`;
    asked.push(what);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method === 'POST') posted.push(Buffer.concat(parts).toString());
    const row = answers.find(
      each => each.request === what && new RegExp(each.host ?? '').test(request.headers.host ?? ''),
    );
    const count = row ? (given.get(row) ?? 0) : 0;
    if (row) given.set(row, count + 1);
    const {
      status,
      headers = {},
      body = '',
      file,
      cut,
    } = row?.replies[Math.min(count, row.replies.length - 1)] ?? { status: 404 };
    const origin = `http://127.0.0.1:${request.socket.localPort}`;
    const bytes = file === undefined ? Buffer.from([body].flat().join('\n')) : await readFile(new URL(file, folder));
    response.writeHead(status, {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('{origin}', origin)])),
      'Content-Length': bytes.length + (cut ? 10 : 0),
    });
    if (!cut) return void response.end(bytes);
    response.flushHeaders();
    setImmediate(() => response.destroy());
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/eSCL`,
    asked,
    posted,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
