/** Writes the pages of a scan while the next ones are being scanned, and says so, a line each. */
import { codeOf, messageOf, ScanError, type Clock, type FinishedPage, type ScanRun } from '@platen/core';
import { imageFacts } from '../../http/dto/image.js';
import { scanStatusOf } from '../../http/errors.js';
import { refusals } from '../../responses/collect.js';
import type { Io } from '../io.js';
import { printable } from '../../printable.js';
import type { OutFiles } from './outFiles.js';

export interface PageWriting {
  readonly run: ScanRun;
  readonly files: Pick<OutFiles, 'write'>;
  readonly io: Pick<Io, 'out' | 'err'>;
  readonly clock: Clock;
  /** Standard output has a JSON object a page in place of the file's name. */
  readonly json: boolean;
}

/** @throws what ended the scan early, when every page that came through is written */
export async function writePages({ run, files, io, clock, json }: PageWriting): Promise<void> {
  const startedAt = clock.monotonic();
  let since = startedAt;
  let written = 0;
  let cause: unknown;
  let unwritten: ScanError | undefined;
  try {
    for await (const page of run.pages) {
      let file: string;
      try {
        file = await files.write(page.pageNumber, page.data);
      } catch (error) {
        // What is in the path comes out all the same, and may find room.
        unwritten ??= new ScanError('storage-failed', `Page ${page.pageNumber} could not be written: ${messageOf(error)}.`, { cause: error });
        run.end(unwritten);
        continue;
      }
      written += 1;
      const now = clock.monotonic();
      io.err(progress(page, now - since, file));
      since = now;
      for (const line of json ? [jsonLine(page, file)] : [file, ...readLines(page)]) io.out(line);
    }
  } catch (error) {
    cause = error;
  }
  cause = unwritten ?? cause;
  const code = cause === undefined ? undefined : (codeOf(cause) ?? 'internal');
  const refused = code !== undefined && refusals.has(code) && written === 0;
  if (!refused) io.err(`${scanStatusOf(code)}: ${written} ${written === 1 ? 'page' : 'pages'} in ${((clock.monotonic() - startedAt) / 1000).toFixed(1)} s`);
  if (cause !== undefined) throw cause;
}

function progress({ pageNumber, side, sheet, width, height, dpi }: FinishedPage, ms: number, file: string): string {
  return `page ${pageNumber}  ${side} of sheet ${sheet}  ${width} x ${height} pixels  ${Math.round(dpi)} dpi  ${Math.round(ms)} ms  ${file}`;
}

function jsonLine(page: FinishedPage, file: string): string {
  const { sheet, side } = page;
  return JSON.stringify({ file, sheet, side, ...imageFacts(page, page.data.byteLength, true) });
}

/** What was read on a page, indented: a line that is not is a file. */
function* readLines({ barcodes, ocrText }: FinishedPage): Generator<string> {
  for (const { barcodeType, confidence, text } of barcodes) yield `  ${barcodeType} ${confidence.toFixed(2)} ${printable(text)}`;
  if (ocrText !== '') for (const line of ocrText.split(/\r?\n/)) yield `  ${printable(line)}`;
}
