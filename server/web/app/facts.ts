/** The selected page's barcodes, text, findings of plugins, and the result of each setting. */
import type { Barcode, Reported } from '../client.js';
import { announce } from './announcer.js';
import { button, byId, element, fill, icon } from './element.js';
import type { Page } from './page.js';
import type { PageList, Sheet } from './pageList.js';
import { labelOf } from './settingValues.js';
import { isMatrix, symbologyWord, valueWord } from './words.js';

const place = byId('facts', HTMLElement);

export interface Facts {
  show(): void;
}

export function createFacts(list: PageList): Facts {
  let shown: Sheet | undefined;
  return {
    show() {
      if (list.chosen === shown) return;
      shown = list.chosen;
      if (shown) fill(place, barcodesOf(shown.page), textOf(shown.page), findingsOf(shown.page), reportOf(shown.page));
      else place.replaceChildren();
    },
  };
}

const wasAsked = ({ report = [] }: Page, parameter: string): boolean =>
  report.some(each => each.parameter === parameter && each.result !== 'ignored');

/** How long a button shows that it has copied, ms. */
const SAID_MS = 1500;

async function copy(text: string, what: string, from: HTMLButtonElement): Promise<void> {
  const done = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  announce(done ? `${what} copied` : 'The browser did not allow copying');
  const sign = (name: string): void => from.querySelector('.icon')?.replaceWith(icon(name));
  sign(done ? 'check' : 'alert');
  setTimeout(() => sign('copy'), SAID_MS);
}

function copyButton(text: string, what: string, square: boolean): HTMLButtonElement {
  const made = button('Copy', () => void copy(text, what, made), {
    icon: 'copy',
    class: square ? 'ghost' : 'ghost small',
    square,
    label: `Copy ${what}`,
  });
  return made;
}

function barcodesOf(page: Page): HTMLElement {
  const { barcodes } = page;
  const none = wasAsked(page, 'barcodeReadingEnabled') ? 'None on this page.' : 'Barcodes were not read.';
  const body =
    barcodes.length > 0
      ? element('ul', { class: 'codes' }, ...barcodes.map(codeOf))
      : element('p', { class: 'soft' }, none);
  return element(
    'div',
    { class: 'fact' },
    element(
      'div',
      { class: 'head' },
      element('h3', {}, 'Barcodes'),
      barcodes.length > 0 && element('span', { class: 'count' }, String(barcodes.length)),
    ),
    body,
  );
}

function codeOf({ text, barcodeType, confidence }: Barcode): HTMLElement {
  const percent = Math.round(confidence * 100);
  return element(
    'li',
    { class: 'code' },
    element('span', { class: 'code-sign' }, icon(isMatrix(barcodeType) ? 'matrix' : 'linear')),
    element(
      'div',
      { class: 'code-words' },
      element('span', { class: 'code-text' }, text),
      element('span', { class: 'soft' }, `${symbologyWord(barcodeType)} · ${percent} % sure`),
    ),
    copyButton(text, `barcode ${text.slice(0, 40)}`, true),
  );
}

function textOf(page: Page): HTMLElement {
  const text = page.ocrText.trim();
  const none = wasAsked(page, 'ocrEnabled') ? 'No text was found on this page.' : 'Text was not read.';
  return element(
    'div',
    { class: 'fact' },
    element('div', { class: 'head' }, element('h3', {}, 'Text'), text !== '' && copyButton(text, 'text', false)),
    text === ''
      ? element('p', { class: 'soft' }, none)
      : element('pre', { class: 'read', tabindex: 0, role: 'group', 'aria-label': 'Recognised text' }, text),
  );
}

/** Of plugins' recognisers, as JSON: only the vendor knows what they mean. */
function findingsOf({ findings }: Page): HTMLElement | undefined {
  if (!findings) return undefined;
  const found = Object.entries(findings).map(([kind, value]) =>
    element(
      'div',
      { class: 'outcome applied' },
      element('dt', {}, kind),
      element('dd', {}, value === null ? 'Nothing found' : typeof value === 'string' ? value : JSON.stringify(value)),
    ),
  );
  return element(
    'div',
    { class: 'fact' },
    element('div', { class: 'head' }, element('h3', {}, 'Findings')),
    element('dl', { class: 'report' }, ...found),
  );
}

const outcomes = { applied: 'Done', emulated: 'Done in software', ignored: 'Ignored' } as const;

function outcomeOf({ parameter, requested, result }: Reported): string {
  if (result === 'applied' && typeof requested !== 'boolean') return 'As requested';
  // Usually because the page needed no change.
  return result === 'ignored' && parameter.startsWith('auto') ? 'Not needed' : outcomes[result];
}

function reportOf({ report = [] }: Page): HTMLElement | undefined {
  if (report.length === 0) return undefined;
  return element(
    'div',
    { class: 'fact' },
    element('div', { class: 'head' }, element('h3', {}, 'Settings on this page')),
    element('dl', { class: 'report' }, ...report.map(reported)),
  );
}

function reported(report: Reported): HTMLElement {
  const { parameter, requested, result, why } = report;
  const value = typeof requested === 'boolean' ? '' : valueWord(requested, parameter);
  const outcome = outcomeOf(report);
  return element(
    'div',
    { class: `outcome ${result}` },
    element('dt', {}, labelOf(parameter), value !== '' && element('span', { class: 'soft' }, ` ${value}`)),
    element(
      'dd',
      {},
      icon(result === 'ignored' ? 'info' : 'check'),
      why === undefined ? outcome : `${outcome}: ${why}`,
    ),
  );
}
