/** Requests of the benchmark's clients. */
import { writeFile } from 'node:fs/promises';
import { request, type Agent, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { readRaw } from './rawFile.js';
import { sheet, sheetBytes } from './sheets.js';

export interface ScanWishes {
  readonly scannerName: string;
  readonly imageFormat: 'Png' | 'Jpeg';
  /** The service's default when absent. */
  readonly jpegQuality?: number;
  /** 300 dpi when absent. */
  readonly resolution?: number;
  /** More scan parameters. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** The body of a scan's request. */
export function scanBody({ scannerName, imageFormat, jpegQuality, resolution = sheet.dpi, more }: ScanWishes): string {
  const parameters = {
    imageFormat,
    resolution,
    colorMode: 'Color',
    pageSize: 'A4',
    ...(jpegQuality === undefined ? {} : { jpegQuality }),
    ...more,
  };
  return JSON.stringify({ scannerName, parameters });
}

export interface Question extends Pick<RequestOptions, 'method' | 'path'> {
  readonly port: number;
  /** JSON. */
  readonly body?: string;
  /** A connection for this request alone if absent. */
  readonly agent?: Agent;
}

/** Resolves with the answer's head. */
export function ask({ port, body, agent, ...more }: Question): Promise<IncomingMessage> {
  const headers = {
    host: `localhost:${port}`,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, ...more, headers, rejectUnauthorized: false, agent: agent ?? false },
      resolve,
    );
    call.on('error', reject).end(body);
  });
}

/**
 * @param raw where the page's pixels are, if the format is to have just these
 * @throws unless it is one whole page of the benchmark's in that format
 */
export async function decode(bytes: Buffer, imageFormat: string, raw?: string): Promise<void> {
  const { format, width, height } = await sharp(bytes).metadata();
  if (format !== imageFormat.toLowerCase() || width !== sheet.width || height !== sheet.height)
    throw new Error(`An image is ${format}, ${width} x ${height}.`);
  const pixels = await sharp(bytes, { failOn: 'warning' }).raw().toBuffer();
  if (raw !== undefined && !pixels.equals(await readRaw(raw, sheetBytes)))
    throw new Error(`An image has other pixels than ${raw}.`);
}

/** Writes them into a folder, each named by its number. */
export async function saveImages(folder: string, images: readonly Uint8Array[]): Promise<void> {
  for (const [at, bytes] of images.entries()) await writeFile(join(folder, String(at + 1)), bytes);
}
