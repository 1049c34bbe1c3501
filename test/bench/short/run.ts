/** `npm run bench` without a part's name: every row of the table on top of README.md, in ten minutes. */
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lacking } from '@platen/conformance';
import { differentSheets, drawSheets } from '../sheets.js';
import { pdf, searchable } from './documents.js';
import { encoder } from './encoder.js';
import { barcodes, ocr } from './readers.js';
import { reportOf, withReport } from './report.js';
import { resultsOf, type Bench, type Result } from './row.js';
import { escl, preview, sane, shipped } from './scanners.js';
import { growth, start } from './service.js';

const readme = fileURLToPath(new URL('../../../bench/README.md', import.meta.url));

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
      if (!drawn) say(`drawing ${differentSheets} pages in ${folder}`);
      return (drawn ??= drawSheets(folder));
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

/** Puts the report into README.md. */
export async function writeReport(report: string): Promise<void> {
  await writeFile(readme, withReport(await readFile(readme, 'utf8'), report));
}
