/** The process that asks for scans and holds the watch. Told what to do by messages from its parent. */
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { readAnswer, type AnswerReader } from './answer.js';
import { sheet } from './sheets.js';

export interface ScanTask {
  readonly port: number;
  readonly scannerName: string;
  readonly imageFormat: 'Png' | 'Jpeg';
  readonly pages: number;
  /** The service's default when absent. */
  readonly jpegQuality?: number;
  /** Decodes every image, after the clock has stopped. */
  readonly decode: boolean;
}

export interface ScanTaking {
  /** From the call to the answer's last byte, the connection and its handshake with it. */
  readonly ms: number;
  /** Of that, from the answer's first byte on. */
  readonly sendingMs: number;
  /** Of each image as a file. */
  readonly sizes: readonly number[];
}

process.on('message', (task: ScanTask) => {
  scan(task).then(
    taking => process.send?.({ taking }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function scan(task: ScanTask): Promise<ScanTaking> {
  const began = performance.now();
  const response = await post(task);
  const answered = performance.now();
  const answer = readAnswer(task.decode);
  response.on('data', (chunk: Buffer) => answer.take(chunk));
  await new Promise((resolve, reject) => response.on('end', resolve).on('error', reject));
  const ended = performance.now();
  const sizes = check(task, response, answer);
  if (task.decode)
    for (const parts of answer.images)
      await decode(Buffer.from(Buffer.concat(parts).toString('latin1'), 'base64'), task.imageFormat);
  return { ms: ended - began, sendingMs: ended - answered, sizes };
}

function post({ port, scannerName, imageFormat, jpegQuality }: ScanTask): Promise<IncomingMessage> {
  const parameters = {
    imageFormat,
    resolution: sheet.dpi,
    colorMode: 'Color',
    pageSize: 'A4',
    ...(jpegQuality === undefined ? {} : { jpegQuality }),
  };
  const body = JSON.stringify({ scannerName, parameters });
  const headers = {
    host: `localhost:${port}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/twain/scan',
        headers,
        rejectUnauthorized: false,
        agent: false,
      },
      resolve,
    );
    call.on('error', reject).end(body);
  });
}

/** @returns each image's size in bytes, which is what the answer says of it */
function check({ pages }: ScanTask, { statusCode }: IncomingMessage, answer: AnswerReader): number[] {
  const { message, images } = JSON.parse(answer.end()) as { message: string; images?: { fileSizeBytes: number }[] };
  if (statusCode !== 200 || images?.length !== pages)
    throw new Error(`${statusCode} with ${images?.length ?? 0} of ${pages} pages: ${message}`);
  images.forEach(({ fileSizeBytes }, at) => {
    const expected = Math.ceil(fileSizeBytes / 3) * 4;
    if (answer.lengths[at] !== expected)
      throw new Error(`Page ${at + 1} has ${answer.lengths[at]} characters of base64, not ${expected}.`);
  });
  return images.map(image => image.fileSizeBytes);
}

async function decode(bytes: Buffer, imageFormat: string): Promise<void> {
  const { format, width, height } = await sharp(bytes).metadata();
  if (format !== imageFormat.toLowerCase() || width !== sheet.width || height !== sheet.height)
    throw new Error(`An image is ${format}, ${width} x ${height}.`);
  await sharp(bytes, { failOn: 'warning' }).stats();
}
