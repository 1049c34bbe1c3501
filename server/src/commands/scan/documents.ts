/** Writes the documents of a scan while or after it runs, prints a line per page, and lets the scan go when it is done. */
import { asSentence, codeOf, messageOf, ScanError, type Clock } from '@platen/core';
import { rangesOf } from '../../service/parameters/documentQuery.js';
import type { Io } from '../../machine/io.js';
import type { DocumentAsk } from './documentAsk.js';
import type { OutFiles } from './outFiles.js';
import { pageJson, readLines, type PageFacts } from './pageFacts.js';
import { createProgress, type Progress } from './progress.js';
import { isUnanswered, type ScanRun, type SeparateDocument } from './scanRun.js';

export interface DocumentWriterParts {
  readonly files: Pick<OutFiles, 'stream'>;
  readonly io: Pick<Io, 'out' | 'err'>;
  readonly clock: Clock;
  readonly ask: DocumentAsk;
  /** Whether the scan gives several documents: they are written when it is over. */
  readonly isSeparate: boolean;
  /** Whether blank pages are in no document. */
  readonly dropsBlank: boolean;
  /** Standard output gets a JSON object per document instead of the file's name. */
  readonly json: boolean;
  /** Absent: a line per page. */
  readonly progress?: Progress;
}

export type DocumentRun = Pick<ScanRun, 'end' | 'started' | 'over' | 'document' | 'documents' | 'release' | 'leftOver'>;

export interface DocumentWriter {
  /** Told of each page in order, when it is stored. */
  see(page: PageFacts): void;
  /**
   * Writes the documents of the scan, and prints how it ended.
   * @throws what ended it early, or why a document is not written: its pages then stay
   */
  write(run: DocumentRun): Promise<void>;
}

interface Written {
  readonly file: string;
  readonly bytes: number;
}

/** The scan's time counts from this call. */
export function createDocumentWriter(parts: DocumentWriterParts): DocumentWriter {
  const { files, io, clock, ask, isSeparate, dropsBlank, json, progress = createProgress(io, clock) } = parts;
  const seen: PageFacts[] = [];

  const print = ({ file, bytes }: Written, pages: readonly PageFacts[], document?: SeparateDocument): void => {
    if (json) {
      const facts = { file, format: ask.format, fileSizeBytes: bytes };
      const which = document && { number: document.number, name: document.name };
      io.out(JSON.stringify({ ...facts, ...which, pages: pages.map(pageJson) }));
      return;
    }
    io.out(file);
    for (const page of pages) for (const line of readLines(page)) io.out(line);
  };

  /** The one document, while the scan runs. If its pages cannot be had now, again when the scan is over. */
  async function writeOne(run: DocumentRun): Promise<void> {
    let isCut = false;
    async function* chunks(): AsyncGenerator<Uint8Array, void> {
      try {
        yield* run.document(ask);
      } catch (error) {
        isCut = true;
        throw error;
      }
    }
    const written = await files.stream(1, chunks()).catch(async (error: unknown) => {
      // The disk refused. As for pages: nothing more is fed.
      if (!isCut) void run.end(new ScanError('storage-failed', messageOf(error)));
      await run.over;
      if (!isCut || seen.length === 0) throw error;
      return files.stream(1, run.document(ask));
    });
    await run.over;
    print(
      written,
      seen.filter(({ blank }) => !(dropsBlank && blank?.isBlank)),
    );
  }

  /** @throws also the failure of the service to list them */
  async function writeEach(run: DocumentRun): Promise<void> {
    await run.over;
    const documents = await run.documents();
    if (documents.length === 0) throw new ScanError('no-pages', 'All pages are blank, or separate documents.');
    const byNumber = new Map(seen.map(page => [page.number, page]));
    for (const document of documents) {
      const pages = document.pages.flatMap(number => byNumber.get(number) ?? []);
      const own = { ...ask, pages: rangesOf(document.pages) };
      print(await files.stream(document.number, run.document(own)), pages, document);
    }
    const written = new Set(documents.flatMap(({ pages }) => pages));
    const others = seen.map(({ number }) => number).filter(number => !written.has(number));
    const why = dropsBlank ? 'separator sheets and blank pages' : 'separator sheets';
    if (others.length > 0)
      io.err(`In no document: ${others.length === 1 ? 'page' : 'pages'} ${rangesOf(others)} (${why}).`);
  }

  function unwritten(run: DocumentRun, problem: unknown, failure: ScanError | undefined): ScanError {
    const cause = isUnanswered(problem) && failure ? failure : problem;
    const code = codeOf(cause) ?? 'storage-failed';
    // All pages are blank: the document that waits has them nevertheless.
    const all = code === 'no-pages' ? { pages: rangesOf(seen.map(({ number }) => number)) } : {};
    const text = `The document is not written. ${asSentence(messageOf(cause))} ${run.leftOver({ ...ask, ...all })}`;
    return new ScanError(code, text, { cause });
  }

  return {
    see(page) {
      seen.push(page);
      progress.page(page);
    },
    async write(run) {
      if (!(await run.started)) return progress.end(await run.over);
      let problem: unknown;
      try {
        await (isSeparate ? writeEach(run) : writeOne(run));
      } catch (error) {
        problem = error;
      }
      const failure = await run.over;
      if (seen.length > 0 && problem !== undefined) return progress.end(unwritten(run, problem, failure));
      for (const number of strayTurns(ask, seen)) io.err(`--rotate: the scan has no page ${number}.`);
      await run.release();
      progress.end(failure);
    },
  };
}

/** Pages that are turned, but that the scan does not have. */
function strayTurns({ rotate }: DocumentAsk, pages: readonly PageFacts[]): readonly number[] {
  const numbers = new Set(pages.map(({ number }) => number));
  const turned = (rotate?.split(',') ?? []).map(turn => Number.parseInt(turn, 10));
  return turned.filter(number => !Number.isNaN(number) && !numbers.has(number));
}
