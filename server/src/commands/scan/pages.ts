/** Writes each page of a scan into a file of its own while the next ones are scanned, and prints a line per page. */
import type { ScanPage } from '@platen/client';
import { codeOf, messageOf, ScanError, type Clock } from '@platen/core';
import type { Io } from '../../machine/io.js';
import type { OutFiles } from './outFiles.js';
import { pageJson, readLines } from './pageFacts.js';
import { createProgress, type Progress } from './progress.js';
import { isUnanswered, type ScanRun } from './scanRun.js';

export interface PageWriterParts {
  readonly files: Pick<OutFiles, 'write'>;
  readonly io: Pick<Io, 'out' | 'err'>;
  readonly clock: Clock;
  /** Standard output gets a JSON object per page instead of the file's name. */
  readonly json: boolean;
  /** Absent: a line per page. */
  readonly progress?: Progress;
}

export type PagesRun = Pick<ScanRun, 'over' | 'started' | 'isLost' | 'release' | 'leftPages'>;

export interface PageWriter {
  /** Fetches a page and writes it. @returns why no other page should follow. @throws if the service does not answer */
  take(page: ScanPage): Promise<ScanError | undefined>;
  /**
   * Waits until the scan is over, and prints how it ended.
   * @throws what ended it early, or why a page is not written: the scan's pages then stay
   */
  write(run: PagesRun): Promise<void>;
}

/** The scan's time counts from this call. */
export function createPageWriter(parts: PageWriterParts): PageWriter {
  const { files, io, clock, json, progress = createProgress(io, clock) } = parts;
  /** The first page's that is not written. */
  let problem: ScanError | undefined;
  const unwritten: ScanPage[] = [];

  async function write(page: ScanPage): Promise<void> {
    const data = await fetched(page);
    const file = await files.write(page.number, data).catch((error: unknown) => {
      const text = `Could not write page ${page.number}: ${messageOf(error)}.`;
      throw new ScanError('storage-failed', text, { cause: error });
    });
    progress.page(page, file);
    const facts = (): string => JSON.stringify({ file, ...pageJson(page) });
    for (const line of json ? [facts()] : [file, ...readLines(page)]) io.out(line);
  }

  return {
    async take(page) {
      try {
        await write(page);
        return undefined;
      } catch (error) {
        if (!(error instanceof ScanError)) throw error;
        // Sheets in the paper path still come out, and their pages may find room.
        problem ??= error;
        unwritten.push(page);
        return error;
      }
    },
    async write(run) {
      const failure = await run.over;
      if (!(await run.started)) return progress.end(failure);
      const first = run.isLost ? failure : problem;
      if (first) {
        const text = `${first.message} ${run.leftPages(unwritten)}`.trimEnd();
        return progress.end(new ScanError(first.code, text, { cause: first }));
      }
      await run.release();
      progress.end(failure);
    },
  };
}

/** @throws {ScanError} for a page that cannot be had, and if the service does not answer */
async function fetched(page: ScanPage): Promise<Uint8Array> {
  try {
    return await (await page.blob()).bytes();
  } catch (error) {
    if (isUnanswered(error)) throw error;
    throw new ScanError(codeOf(error) ?? 'storage-failed', messageOf(error), { cause: error });
  }
}
