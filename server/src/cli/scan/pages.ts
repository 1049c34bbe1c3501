/** Writes each page of a scan while the next ones are scanned, and prints a line per page. */
import { messageOf, ScanError, type Clock, type FinishedPage } from '@platen/core';
import { imageFacts } from '../../http/dto/image.js';
import { scanStatusOf } from '../../http/errors.js';
import { refusals } from '../../responses/collect.js';
import type { Io } from '../io.js';
import type { WritePage } from './backend.js';
import { printable } from '../../printable.js';
import type { OutFiles } from './outFiles.js';

export interface PageWriterParts {
  readonly files: Pick<OutFiles, 'write'>;
  readonly io: Pick<Io, 'out' | 'err'>;
  readonly clock: Clock;
  /** Standard output gets a JSON object per page instead of the file's name. */
  readonly json: boolean;
}

export interface PageWriter {
  readonly keep: WritePage;
  /** Prints how the scan ended. @throws what ended it early */
  end(failure: ScanError | undefined): void;
}

/** The scan's time counts from this call. */
export function createPageWriter({ files, io, clock, json }: PageWriterParts): PageWriter {
  const startedAt = clock.monotonic();
  let since = startedAt;
  let written = 0;
  return {
    async keep(page) {
      let file: string;
      try {
        file = await files.write(page.pageNumber, page.data);
      } catch (error) {
        // Sheets in the paper path still come out, and their pages may find room.
        return new ScanError('storage-failed', `Could not write page ${page.pageNumber}: ${messageOf(error)}.`, {
          cause: error,
        });
      }
      written += 1;
      const now = clock.monotonic();
      io.err(progress(page, now - since, file));
      since = now;
      for (const line of json ? [jsonLine(page, file)] : [file, ...readLines(page)]) io.out(line);
      return undefined;
    },
    end(failure) {
      const code = failure?.code;
      const refused = code !== undefined && refusals.has(code) && written === 0;
      if (!refused)
        io.err(
          `${scanStatusOf(code)}: ${written} ${written === 1 ? 'page' : 'pages'} in ${((clock.monotonic() - startedAt) / 1000).toFixed(1)} s`,
        );
      if (failure) throw failure;
    },
  };
}

function progress({ pageNumber, side, sheet, width, height, dpi }: FinishedPage, ms: number, file: string): string {
  return `page ${pageNumber}  ${side} of sheet ${sheet}  ${width} x ${height} pixels  ${Math.round(dpi)} dpi  ${Math.round(ms)} ms  ${file}`;
}

function jsonLine(page: FinishedPage, file: string): string {
  const { sheet, side } = page;
  return JSON.stringify({ file, sheet, side, ...imageFacts(page, page.data.byteLength, true) });
}

/** The codes and text of a page, indented, to tell them from the files' lines. */
function* readLines({ barcodes, ocrText }: FinishedPage): Generator<string> {
  for (const { barcodeType, confidence, text } of barcodes)
    yield `  ${barcodeType} ${confidence.toFixed(2)} ${printable(text)}`;
  if (ocrText !== '') for (const line of ocrText.split(/\r?\n/)) yield `  ${printable(line)}`;
}
