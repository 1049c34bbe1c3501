/** HTTP requests to a device that are traced: XML without private texts, an image's size in place of the image. */
import { isTraced, traceDevice } from '@platen/core/driver';
import { codeOf, imageFacts } from '@platen/core/plugin';
import { EsclError, type ErrorKind } from './esclError.js';
import type { HttpClient, HttpRequest, HttpResponse } from './httpClient.js';
import { tracedXml } from './traceXml.js';
import { textOf } from '../protocol/xml.js';

/** A request, as the trace has it. */
export interface TracedRequest {
  /** Numbers the requests of the process; its response has the same. */
  readonly call: number;
  readonly method: HttpRequest['method'];
  readonly path: string;
  /** XML of ours. */
  readonly body?: string;
}

/** What came of it: a response, or the error that ended it. */
export interface TracedResponse {
  readonly call: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly xml?: string;
  readonly image?: TracedImage;
  /** Of a body that is an image, or neither. */
  readonly bytes?: number;
  readonly error?: ErrorKind;
  /** Of the scan, which ended before the response. */
  readonly ended?: string;
}

export interface TracedImage {
  readonly type: string;
  readonly width: number;
  readonly height: number;
  readonly pixels: string;
  /** Pixels per inch. */
  readonly density?: number;
  /** The end is missing. */
  readonly torn?: true;
}

const headersKept = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'location',
  'retry-after',
  'server',
] as const;

let calls = 0;

/** @param device the device's id */
export function tracedHttp(client: HttpClient, device: string): HttpClient {
  return {
    async request(request) {
      if (!isTraced()) return client.request(request);
      const { method, path, body } = request;
      const call = ++calls;
      const to: TracedRequest = { call, method, path, ...(body !== undefined && { body }) };
      const from = (response: Omit<TracedResponse, 'call'>): void =>
        traceDevice(() => ({ part: 'escl', device, from: { call, ...response } }));
      traceDevice(() => ({ part: 'escl', device, to }));
      try {
        const response = await client.request(request);
        from(tracedResponse(response));
        return response;
      } catch (error) {
        from(error instanceof EsclError ? { error: error.kind } : { ended: codeOf(error) ?? 'driver-failed' });
        throw error;
      }
    },
    close: () => client.close(),
  };
}

function tracedResponse({ status, headers, body }: HttpResponse): Omit<TracedResponse, 'call'> {
  const some = headersKept.flatMap(name => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  return { status, headers: Object.fromEntries(some) as Record<string, string>, ...tracedBody(body) };
}

function tracedBody(body: Uint8Array): Pick<TracedResponse, 'xml' | 'image' | 'bytes'> {
  if (body.length === 0) return {};
  const facts = imageFacts(body);
  if (facts) {
    const { mimeType: type, width, height, pixels, density, isWhole } = facts;
    const image = { type, width, height, pixels, ...(density && { density: Math.round(density.x) }) };
    return { image: { ...image, ...(!isWhole && { torn: true }) }, bytes: body.length };
  }
  const text = textOf(body);
  return text.trimStart().startsWith('<') ? { xml: tracedXml(text) } : { bytes: body.length };
}
