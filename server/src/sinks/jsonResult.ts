/** Collects the pages of a scan and streams them as one JSON answer; no image ever becomes part of a larger string. */
import { Readable } from 'node:stream';
import { codeOf, messageOf, type ErrorCode, type KeptBytes, type ScanError, type ScanRun, type Shelf } from '@platen/core';
import { imageFacts, type ImageFacts } from '../http/dto/image.js';
import { scanStatusOf } from '../http/errors.js';

/** Bytes that are turned into base64 at a time: a multiple of three, so that the pieces join without padding. */
const SLICE_BYTES = 3 * 256 * 1024;

interface Kept {
  readonly facts: ImageFacts;
  readonly bytes: KeptBytes;
}

export interface JsonResult {
  /** Why the scan did not succeed. */
  readonly code: ErrorCode | undefined;
  /** What was thrown, for the log. */
  readonly cause: unknown;
  /** Bytes of the whole answer. */
  readonly length: number;
  readonly body: Readable;
}

/** These are about the request, not about the paper: without pages, the answer is a plain error. */
const refusals: ReadonlySet<ErrorCode> = new Set(['invalid-value', 'device-not-found', 'busy', 'not-connected', 'no-source-open']);

/**
 * Pulls the whole scan. A failure does not lose the pages before it: they are in the answer.
 * @throws a refused request, before any page
 * @param startedAt in milliseconds of the same clock as `now`
 */
export async function collectJson(run: ScanRun, shelf: Shelf, report: boolean, startedAt: number, now: () => number): Promise<JsonResult> {
  const kept: Kept[] = [];
  let cause: unknown;
  let full: ScanError | undefined;
  try {
    for await (const page of run.pages) {
      const { kept: bytes, problem } = await shelf.put(page.data);
      kept.push({ facts: imageFacts(page, report), bytes });
      if (problem && !full) run.end((full = problem));
    }
  } catch (error) {
    cause = full ?? error;
  }
  const code = cause === undefined ? undefined : (codeOf(cause) ?? 'internal');
  if (code && kept.length === 0 && refusals.has(code)) throw cause;
  const pieces = answer(kept, code, cause, [...run.notes], now() - startedAt);
  return { code, cause, length: lengthOf(pieces), body: Readable.from(stream(pieces), { objectMode: false, highWaterMark: 2 * SLICE_BYTES }) };
}

/** Text stands as it is; kept bytes become base64. */
type Piece = string | KeptBytes;

function answer(kept: readonly Kept[], code: ErrorCode | undefined, cause: unknown, notes: readonly string[], elapsedMs: number): Piece[] {
  const error = cause === undefined ? undefined : messageOf(cause);
  const head = {
    success: code === undefined,
    status: scanStatusOf(code),
    message: [error ?? scanned(kept.length), ...notes].join(' '),
    ...(error === undefined ? {} : { error }),
    imageCount: kept.length,
    elapsedMs: Math.round(elapsedMs),
  };
  const pieces: Piece[] = [`${JSON.stringify(head).slice(0, -1)},"images":[`];
  kept.forEach(({ facts, bytes }, at) => {
    pieces.push(`${at ? ',' : ''}${JSON.stringify(facts).slice(0, -1)},"base64Data":"`, bytes, '"}');
  });
  pieces.push(']}');
  return pieces;
}

function scanned(count: number): string {
  return `Scanned ${count} ${count === 1 ? 'page' : 'pages'}.`;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : Math.ceil(piece.size / 3) * 4), 0);
}

async function* stream(pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      yield Buffer.from(piece);
      continue;
    }
    for await (const slice of piece.read(SLICE_BYTES)) {
      yield Buffer.from(Buffer.from(slice.buffer, slice.byteOffset, slice.byteLength).toString('base64'), 'latin1');
    }
  }
}
