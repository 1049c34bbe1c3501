/** Writes each page of a scan into a file of its own while the next ones are scanned, and prints a line per page. */
import { messageOf, ScanError, type Clock } from '@platen/core';
import type { Io } from '../../machine/io.js';
import type { WritePage } from './backend.js';
import type { OutFiles } from './outFiles.js';
import { pageJson, readLines } from './pageFacts.js';
import { createProgress } from './progress.js';

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
  const progress = createProgress(io, clock);
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
      progress.page(page, file);
      const facts = (): string => JSON.stringify({ file, ...pageJson(page, page.data.byteLength) });
      for (const line of json ? [facts()] : [file, ...readLines(page)]) io.out(line);
      return undefined;
    },
    end: progress.end,
  };
}
