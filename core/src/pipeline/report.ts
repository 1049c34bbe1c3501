/** What was requested for a page, and the result of each option: for clients that request a report. */
import type { Page } from '../contract/page.js';
import { pageControls, pixelsAt, type Area } from '../contract/controls.js';
import { adjustmentParameters } from '../contract/words.js';
import { pixelsOf, type ProcessingOutcome } from './adjust.js';
import type { Findings } from './findings.js';
import { AREA_HAS_SIZE, type ScanPlan } from './plan.js';
import { processField } from './process.js';

/** The result of one scan parameter on one page. */
export interface Reported {
  /** The parameter's name, such as `autoDeskew`. */
  readonly parameter: string;
  /** Its requested value; of a recogniser or processor of a plugin, its wishes or options as JSON. */
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
 * @param findings of the recognisers that did not fail
 */
export function reportOf(
  page: Page,
  plan: ScanPlan,
  processing: readonly ProcessingOutcome[],
  findings: Findings = {},
): Reported[] {
  const { options, order } = plan;
  const report: Reported[] = [];
  const processed = (
    parameter: string,
    requested: Reported['requested'],
    adjustment: ProcessingOutcome['adjustment'],
  ): void => {
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

  if (options.source !== undefined) applied('source', options.source, true, '');
  if (options.sheets !== undefined)
    report.push({ parameter: 'sheets', requested: options.sheets, result: plan.countsSheets ? 'emulated' : 'applied' });
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
    const reduced = processing.find(({ adjustment, by }) => adjustment === 'threshold' && by === 'software');
    if (reduced) processed('colorMode', options.colorMode, 'threshold');
    else if (processing.some(({ adjustment }) => adjustment === 'color'))
      processed('colorMode', options.colorMode, 'color');
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
  if (!options.controls?.area)
    applied('pageSize', options.pageSize, pageSizeIgnored === undefined, pageSizeIgnored ?? '');
  for (const { parameter, adjustment } of adjustmentParameters) {
    if (!options[parameter]) continue;
    if (plan.adjustments.includes(adjustment)) processed(parameter, true, adjustment);
    else applied(parameter, true, false, AREA_HAS_SIZE);
  }
  for (const control of pageControls) {
    const value = options.controls?.[control];
    if (value === undefined) continue;
    const requested = typeof value === 'number' ? value : areaWords(value);
    const other = control === 'area' ? otherSize(page, plan) : undefined;
    if (other !== undefined) applied(control, requested, false, other);
    else if (plan.controls[control] !== undefined) processed(control, requested, control);
    else applied(control, requested, value === 0, 'the page was not requested in BlackAndWhite');
  }
  for (const [name, value] of Object.entries(options.controls?.driverOptions ?? {}))
    applied(`driverOptions.${name}`, value, true, '');
  for (const { processor, options: given } of plan.processors) {
    const parameter = processField(processor.name);
    processed(parameter, JSON.stringify(given), parameter);
  }
  if (options.barcode)
    applied('barcodeReadingEnabled', true, plan.barcode !== undefined, 'no loaded plugin reads barcodes');
  if (options.ocr) applied('ocrEnabled', true, plan.ocr, 'no loaded plugin does OCR');
  for (const { recogniser, wishes } of plan.finders)
    applied(
      `recognise.${recogniser.kind}`,
      JSON.stringify(wishes),
      Object.hasOwn(findings, recogniser.kind),
      'the page could not be read: a note says why',
    );
  return report;
}

/** Of a page that the device cut to another size than the area that was asked for: some round it. */
export function otherSize(page: Page, { options }: ScanPlan): string | undefined {
  if (!page.adjusted?.includes('area') || hasSize(page, options.controls?.area)) return undefined;
  return `the scanner's page has ${page.width} x ${page.height} pixels`;
}

/** To one pixel per 300 dpi, as the driver contract has it; a page that the device turned lies on its side. */
function hasSize({ dpi, width, height }: Page, area: Area | undefined): boolean {
  if (!area) return true;
  const most = Math.max(1, Math.ceil(dpi / 300));
  const [wide, high] = [pixelsAt(dpi, area.width), pixelsAt(dpi, area.height)];
  const is = (one: number, other: number) => Math.abs(width - one) <= most && Math.abs(height - other) <= most;
  return is(wide, high) || is(high, wide);
}

/** As the command line takes it: `10,20,100x50`. */
function areaWords({ x, y, width, height }: Area): string {
  return `${x},${y},${width}x${height}`;
}
