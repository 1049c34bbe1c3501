/** The process that asks for scans and holds the watch. Told what to do by messages from its parent. */
import type { IncomingMessage } from 'node:http';
import { readAnswer, type AnswerReader } from './answer.js';
import { ask, decode, saveImages, scanBody, type ScanWishes } from './ask.js';

export interface ScanTask extends ScanWishes {
  readonly port: number;
  readonly pages: number;
  /** Decodes every image, after the clock has stopped. */
  readonly decode: boolean;
  /** Pages of a lossless format have the pixels of these files, in order. */
  readonly files?: readonly string[];
  /** A folder for the images as files, named by their numbers, after the clock has stopped. */
  readonly save?: string;
}

export interface ScanTaking {
  /** From the call to the answer's last byte, the connection and its handshake with it. */
  readonly ms: number;
  /** Of that, from the answer's first byte on. */
  readonly sendingMs: number;
  /** Of the processor, in all threads of this process. */
  readonly processorMs: number;
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
  const before = process.cpuUsage();
  const began = performance.now();
  const response = await ask({ port: task.port, method: 'POST', path: '/api/twain/scan', body: scanBody(task) });
  const answered = performance.now();
  const answer = readAnswer(task.decode || task.save !== undefined);
  response.on('data', (chunk: Buffer) => answer.take(chunk));
  await new Promise((resolve, reject) => response.on('end', resolve).on('error', reject));
  const ended = performance.now();
  const { user, system } = process.cpuUsage(before);
  const sizes = check(task, response, answer);
  const images = answer.images.map(parts => Buffer.from(Buffer.concat(parts).toString('latin1'), 'base64'));
  if (task.decode) for (const [at, bytes] of images.entries()) await decode(bytes, task.imageFormat, task.files?.[at]);
  if (task.save !== undefined) await saveImages(task.save, images);
  return { ms: ended - began, sendingMs: ended - answered, processorMs: (user + system) / 1000, sizes };
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
