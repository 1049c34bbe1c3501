/** A page of a scan: what is known of it, and its bytes, which stay at the service until they are asked for. */
import { PlatenError, type PlatenErrorCode } from '../errors.js';
import { createLink } from '../transport/link.js';
import { sha256Of } from './sha256.js';
import type { CallOptions, Service } from '../transport/ask.js';
import { bodyOf, failureOf, jsonOf } from '../service.js';
import type { PageFacts, Turn } from '../shapes.js';

export interface PictureOptions extends CallOptions {
  /** Turns the picture. */
  readonly rotate?: Turn | undefined;
}

export interface ScanPage extends PageFacts {
  /** `storage-failed`: its file is damaged and cannot be fetched. */
  readonly code?: PlatenErrorCode;
  /**
   * Fetches the image's file. It stays in memory for as long as you keep the Blob. A turned page is encoded again in its
   * format: lossless formats lose nothing.
   * @throws PlatenError; `unexpected-answer` if its bytes arrive damaged twice, which needs a secure context to notice,
   *   and cannot be noticed of a turned page; `invalid-value` if the service cannot decode a page that is to be turned
   */
  blob(options?: PictureOptions): Promise<Blob>;
  /**
   * Fetches a small JPEG, for strips and lists.
   * @param width pixels of the JPEG, 16 to 2000; a narrower page keeps its width
   */
  thumbnail(width: number, options?: PictureOptions): Promise<Blob>;
}

/** A page as the service describes it. */
export interface WirePage extends PageFacts {
  readonly code?: PlatenErrorCode;
}

export function scanPageOf(service: Service, { code, ...facts }: WirePage): ScanPage {
  const path = facts.url;
  return {
    ...facts,
    url: `${service.baseUrl}${path}`,
    ...(code === undefined ? {} : { code }),
    async blob({ signal, rotate = 0 } = {}) {
      const type = facts.mimeType;
      if (rotate !== 0) return new Blob([await fetched(service, `${path}?rotate=${rotate}`, signal)], { type });
      for (let tries = 0; tries < 2; tries++) {
        const bytes = await fetched(service, path, signal);
        if (await isWhole(bytes, facts)) return new Blob([bytes], { type });
      }
      throw new PlatenError('unexpected-answer', `Page ${facts.number} arrived damaged twice.`);
    },
    async thumbnail(width, { signal, rotate = 0 } = {}) {
      const turned = rotate === 0 ? '' : `&rotate=${rotate}`;
      return new Blob([await fetched(service, `${path}?width=${width}${turned}`, signal)], { type: 'image/jpeg' });
    },
  };
}

const fetched = (service: Service, path: string, signal: AbortSignal | undefined): Promise<ArrayBuffer> =>
  createLink().hold(async () => {
    const response = await service.ask(path, { signal });
    if (!response.ok) throw failureOf(response, await jsonOf(response, signal));
    return bodyOf(response, signal, async () => {
      const bytes = await response.arrayBuffer();
      if (bytes.byteLength < Number(response.headers.get('content-length'))) throw new Error('It ends too early.');
      return bytes;
    });
  }, signal);

/** The digest is left out where the page is not a secure context. */
async function isWhole(bytes: ArrayBuffer, facts: PageFacts): Promise<boolean> {
  return bytes.byteLength === facts.bytes && ((await sha256Of(bytes)) ?? facts.sha256) === facts.sha256;
}
