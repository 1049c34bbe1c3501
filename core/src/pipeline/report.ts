/** What was requested for a page, and the result of each option: for clients that request a report. */
import type { Page } from '../contract/page.js';
import { adjustmentParameters, type Adjustment } from '../contract/words.js';
import { pixelsOf, type ProcessingOutcome } from './adjust.js';
import type { ScanPlan } from './plan.js';

/** The result of one scan parameter on one page. */
export interface Reported {
  /** The parameter's name, such as `autoDeskew`. */
  readonly parameter: string;
  /** Its requested value. */
  readonly requested: string | number | boolean;
  /** applied: by the device, or as requested. emulated: in software, here. ignored: not followed. */
  readonly result: 'applied' | 'emulated' | 'ignored';
  /** Why it was ignored. */
  readonly why?: string;
}

const results = { device: 'applied', software: 'emulated', nobody: 'ignored' } as const;

/**
 * One entry for each parameter that the client gave and that is visible on a page.
 * @param page as the device delivered it
 */
export function reportOf(page: Page, plan: ScanPlan, processing: readonly ProcessingOutcome[]): Reported[] {
  const { options, order } = plan;
  const report: Reported[] = [];
  const processed = (parameter: string, requested: Reported['requested'], adjustment: Adjustment | 'color'): void => {
    const found = processing.find(each => each.adjustment === adjustment);
    report.push({
      parameter,
      requested,
      result: results[found?.by ?? 'device'],
      ...(found?.why === undefined ? {} : { why: found.why }),
    });
  };
  const applied = (parameter: string, requested: Reported['requested'], followed: boolean, why: string): void => {
    report.push({ parameter, requested, ...(followed ? { result: 'applied' } : { result: 'ignored', why }) });
  };

  if (options.resolution !== undefined) {
    const { dpi } = page;
    applied(
      'resolution',
      options.resolution,
      Math.round(dpi) === options.resolution,
      `the page was scanned at ${Math.round(dpi)} dpi`,
    );
  }
  if (options.colorMode !== undefined) {
    if (processing.some(({ adjustment }) => adjustment === 'color')) processed('colorMode', options.colorMode, 'color');
    else
      applied(
        'colorMode',
        options.colorMode,
        page.pixels === pixelsOf[options.colorMode],
        `the page was scanned in ${plan.colorMode}`,
      );
  }
  if (options.duplexMode === 'DuplexShortEdge' && order.duplexMode === 'DuplexShortEdge' && page.side === 'back')
    processed('duplexMode', options.duplexMode, 'turn');
  else if (options.duplexMode !== 'Simplex')
    applied('duplexMode', options.duplexMode, order.duplexMode === options.duplexMode, 'only one side was scanned');
  const { pageSizeIgnored } = plan;
  applied('pageSize', options.pageSize, pageSizeIgnored === undefined, pageSizeIgnored ?? '');
  for (const { parameter, adjustment } of adjustmentParameters) {
    if (options[parameter]) processed(parameter, true, adjustment);
  }
  if (options.barcode)
    applied('barcodeReadingEnabled', true, plan.barcode !== undefined, 'no loaded plugin reads barcodes');
  if (options.ocr) applied('ocrEnabled', true, plan.ocr, 'no loaded plugin does OCR');
  return report;
}
