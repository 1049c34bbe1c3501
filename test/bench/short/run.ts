/** `npm run bench` without a part's name: every row of the table on top of README.md, in ten minutes. */
import { lacking } from '@platen/conformance';
import { drawSheets } from '../sheets.js';
import { pdf, searchable } from './documents.js';
import { encoder } from './encoder.js';
import { barcodes, ocr } from './readers.js';
import { reportOf } from './report.js';
import { resultsOf, STACK, type Bench, type Result } from './row.js';
import { escl, preview, sane, shipped } from './scanners.js';
import { growth, start } from './service.js';

/** Of the stack's pages: drawing one takes four seconds of processor time. */
const DIFFERENT = 5;

/**
 * @returns the report
 * @throws where a row's check fails
 */
export async function shortRun(folder: string, machine: string, say: (line: string) => void): Promise<string> {
  const began = performance.now();
  let drawn: Promise<string[]> | undefined;
  const bench: Bench = {
    folder,
    files() {
      if (!drawn) say(`drawing ${DIFFERENT} pages in ${folder}`);
      drawn ??= drawSheets(folder, DIFFERENT);
      return drawn.then(files => Array.from({ length: STACK }, (_, at) => files[at % files.length] ?? ''));
    },
    say,
  };
  const results: Result[] = [
    ...(await resultsOf(encoder, bench, lacking)),
    ...(await resultsOf(sane, bench, lacking)),
    ...(await resultsOf(shipped, bench, lacking)),
    ...(await resultsOf(escl, bench, lacking)),
    ...(await resultsOf(preview, bench, lacking)),
    ...(await resultsOf(pdf, bench, lacking)),
    ...(await resultsOf(searchable, bench, lacking)),
    ...(await resultsOf(ocr, bench, lacking)),
    ...(await resultsOf(barcodes, bench, lacking)),
    ...(await resultsOf(start, bench, lacking)),
    ...(await resultsOf(growth, bench, lacking)),
  ];
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  return reportOf(`${machine} The run took ${minutes} minutes.`, results);
}
