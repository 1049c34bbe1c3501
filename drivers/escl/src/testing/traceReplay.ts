/** A device that answers as one did in a trace of `platen trace`: the same responses, with images of the same size. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import type { TracedImage, TracedRequest, TracedResponse } from '../http/tracedHttp.js';

/** Lines of a trace with messages of eSCL; others are ignored. */
export interface EsclLine {
  readonly to?: unknown;
  readonly from?: unknown;
}

export interface TraceReplay {
  /** With the path of the traced device. */
  readonly url: string;
  /** What the trace asked for, and what was asked now: method, path and the settings of a job. */
  readonly before: readonly string[];
  readonly now: readonly string[];
  close(): Promise<void>;
}

export async function startTraceReplay(lines: readonly EsclLine[]): Promise<TraceReplay> {
  const requests = lines.flatMap(({ to }) => (to ? [to as TracedRequest] : []));
  const responses = lines.flatMap(({ from }) => (from ? [from as TracedResponse] : []));
  const left = [...requests];
  const now: string[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url: path = '' } = request;
    now.push(shown({ method, path, body: Buffer.concat(parts).toString() }));
    const at = left.findIndex(each => each.method === method && each.path === path);
    const [asked] = at < 0 ? [] : left.splice(at, 1);
    const traced = responses.find(({ call }) => call === asked?.call);
    if (!traced) return void response.writeHead(404).end();
    await reply(traced, path, response);
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [first] = requests;
  const root = first?.path.replace(/\/ScannerCapabilities$/, '') ?? '/eSCL';
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${root}`,
    before: requests.map(shown),
    now,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

const shown = ({ method, path, body }: { readonly method: string; readonly path: string; readonly body?: string }) =>
  [method, path, ...(body ? [body] : [])].join(' ');

async function reply(traced: TracedResponse, path: string, response: ServerResponse): Promise<void> {
  const { status = 200, headers = {}, error, ended } = traced;
  // It never answers: the driver's own deadline, or the end of the scan, was first.
  if (error === 'no response' || ended !== undefined) return;
  if (error === 'unreachable') return void response.destroy();
  if (error === 'truncated') {
    const whole = path.endsWith('/NextDocument') ? await imageOf(anyPage) : Buffer.from('<?xml version="1.0"?><');
    response.writeHead(200, { 'Content-Length': whole.length });
    response.write(whole.subarray(0, whole.length / 2));
    return void setImmediate(() => response.destroy());
  }
  if (error !== undefined && status === 200) throw new Error(`A trace with "${error}" cannot be replayed.`);
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...others } = headers;
  const body = await bodyOf(traced);
  response.writeHead(status, { ...others, 'Content-Length': body.length });
  response.end(body);
}

async function bodyOf({ xml, image, bytes = 0 }: TracedResponse): Promise<Buffer> {
  if (xml !== undefined) return Buffer.from(xml);
  return image ? imageOf(image) : Buffer.alloc(bytes);
}

const anyPage: TracedImage = { type: 'image/jpeg', width: 600, height: 800, pixels: 'gray8' };

/** White, of the same type, size and depth. */
async function imageOf({ type, width, height, pixels, density = 0, torn }: TracedImage): Promise<Buffer> {
  const create = { width, height, channels: 3, background: '#fff' } as const;
  let picture = sharp({ create, limitInputPixels: false });
  if (pixels !== 'rgb24') picture = picture.greyscale().toColourspace('b-w');
  if (density > 0) picture = picture.withDensity(density);
  const one = pixels === 'bw1';
  if (type === 'image/png') picture = picture.png(one ? { palette: true, colours: 2 } : {});
  else if (type === 'image/tiff') picture = picture.tiff(one ? { bitdepth: 1, compression: 'ccittfax4' } : {});
  else picture = picture.jpeg();
  const file = await picture.toBuffer();
  return torn ? file.subarray(0, file.length - 16) : file;
}
