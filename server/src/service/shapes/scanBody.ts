/** Kept scans and their pages, as answers and events give them. */
import { atRisk, codeOf, messageOf, type KeptScan, type StoredPage } from '@platen/core';
import type { ForPages } from '../http/answers/forPages.js';
import { noteBody } from './note.js';
import type { Scan, ScanPage, ScanSummary } from './scans.js';

export function scanSummary(scan: KeptScan, forPages: ForPages): ScanSummary {
  const { id, state, scannerName, requestId, createdAt, kind, pages, progress } = scan;
  return {
    success: true,
    id,
    state,
    scannerName,
    ...(requestId === undefined ? {} : { requestId }),
    createdAt: new Date(createdAt).toISOString(),
    kind,
    ...failureOfScan(scan, forPages),
    notes: scan.notes.map(note => noteBody(note, forPages)),
    pageCount: pages.length,
    progress: { ...progress },
  };
}

export async function scanBody(scan: KeptScan, forPages: ForPages): Promise<Scan> {
  // Of one moment: a scan that completes meanwhile must not be called completed without its last pages.
  const [summary, stored] = [scanSummary(scan, forPages), [...scan.pages]];
  const pages: ScanPage[] = [];
  // One by one: after a restart, checking a page reads all of it.
  for (const page of stored) pages.push(await pageBody(scan, page, forPages));
  return { ...summary, pages };
}

/** Checks its file. */
export async function pageBody({ id }: KeptScan, stored: StoredPage, forPages: ForPages): Promise<ScanPage> {
  const damage: unknown = await stored.check().then(
    () => undefined,
    (error: unknown) => error,
  );
  const { pageNumber, sheet, side, width, height, dpi, format, mimeType, barcodes, ocrText, report } = stored.page;
  const { blank, patch, findings } = stored.page;
  return {
    number: pageNumber,
    sheet,
    side,
    width,
    height,
    resolution: Math.round(dpi),
    format,
    mimeType,
    bytes: stored.size,
    sha256: stored.sha256,
    barcodes: [...barcodes],
    ocrText,
    ...(blank ? { blank: { ...blank } } : {}),
    ...(findings ? { findings: { ...findings } } : {}),
    ...(patch === undefined ? {} : { patch }),
    report: [...report],
    url: `/api/scans/${id}/pages/${pageNumber}`,
    ...(stored.isStored ? {} : { isStored: false as const }),
    ...(damage === undefined
      ? {}
      : failureOf({ code: codeOf(damage) ?? 'internal', error: messageOf(damage) }, forPages)),
  };
}

/** What `state` events and scans say of a failure, and of pages that it left in memory. */
export function failureOfScan(
  scan: KeptScan,
  forPages: ForPages,
): { code?: string; error?: string; pagesInMemory?: number } {
  const pagesInMemory = atRisk(scan.pages);
  if (pagesInMemory === 0) return failureOf(scan, forPages);
  const [are, them] = pagesInMemory === 1 ? ['1 page is', 'it'] : [`${pagesInMemory} pages are`, 'them'];
  const said = `${are} in memory only: fetch ${them} now, before the service ends.`;
  const error = scan.error === undefined ? said : `${scan.error} ${said}`;
  return { ...failureOf({ code: scan.code, error }, forPages), pagesInMemory };
}

function failureOf(
  { code, error }: Pick<KeptScan, 'code' | 'error'>,
  forPages: ForPages,
): { code?: string; error?: string } {
  return {
    ...(code === undefined ? {} : { code }),
    ...(error === undefined ? {} : { error: forPages(error) }),
  };
}
