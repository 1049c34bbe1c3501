/** What was read on the chosen page, and what became of each setting. */
import type { Barcode, Reported, ScannedPage } from '../client.js';
import { announce } from './announcer.js';
import { button, byId, element, fill, icon } from './element.js';
import type { PageList, Sheet } from './pageList.js';
import { isMatrix, parameterWord, symbologyWord, valueWord } from './words.js';

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
      if (shown) fill(place, barcodesOf(shown.page), textOf(shown.page), reportOf(shown.page));
      else place.replaceChildren();
    },
  };
}

const wasAsked = ({ report = [] }: ScannedPage, parameter: string): boolean => report.some(each => each.parameter === parameter && each.result !== 'ignored');

async function copy(text: string, what: string, from: HTMLButtonElement): Promise<void> {
  const said = await navigator.clipboard.writeText(text).then(() => 'Copied', () => 'Not allowed');
  announce(said === 'Copied' ? `${what} copied` : 'The browser does not allow copying');
  const label = from.lastChild;
  const before = label?.textContent ?? 'Copy';
  if (!label || before === said) return;
  label.textContent = said;
  setTimeout(() => (label.textContent = before), 1500);
}

function copyButton(text: string, what: string): HTMLButtonElement {
  const made = button('Copy', () => void copy(text, what, made), { icon: 'copy', class: 'ghost small', label: `Copy ${what.toLowerCase()}` });
  return made;
}

function barcodesOf(page: ScannedPage): HTMLElement {
  const { barcodes } = page;
  const none = wasAsked(page, 'barcodeReadingEnabled') ? 'None on this page.' : 'Barcodes were not read.';
  const body = barcodes.length > 0 ? element('ul', { class: 'codes' }, ...barcodes.map(codeOf)) : element('p', { class: 'soft' }, none);
  return element('div', { class: 'fact' }, element('div', { class: 'head' }, element('h3', {}, 'Barcodes'), barcodes.length > 0 && element('span', { class: 'count' }, String(barcodes.length))), body);
}

function codeOf({ text, barcodeType, confidence }: Barcode): HTMLElement {
  const percent = Math.round(confidence * 100);
  return element(
    'li', { class: 'code' },
    element('span', { class: 'code-sign' }, icon(isMatrix(barcodeType) ? 'matrix' : 'linear')),
    element('div', { class: 'code-words' }, element('span', { class: 'code-text' }, text), element('span', { class: 'soft' }, `${symbologyWord(barcodeType)} · ${percent} % sure`)),
    copyButton(text, `Barcode ${text.slice(0, 40)}`),
  );
}

function textOf(page: ScannedPage): HTMLElement {
  const text = page.ocrText.trim();
  const none = wasAsked(page, 'ocrEnabled') ? 'No text was found on this page.' : 'Text was not read.';
  return element(
    'div', { class: 'fact' },
    element('div', { class: 'head' }, element('h3', {}, 'Text'), text !== '' && copyButton(text, 'Text')),
    text === '' ? element('p', { class: 'soft' }, none) : element('pre', { class: 'read', tabindex: 0, role: 'group', 'aria-label': 'Recognised text' }, text),
  );
}

const outcomes = { applied: 'Done', emulated: 'Done in software', ignored: 'Ignored' } as const;

function outcomeOf({ parameter, requested, result }: Reported): string {
  if (result === 'applied' && typeof requested !== 'boolean') return 'As asked';
  // Most often because nothing was needed.
  return result === 'ignored' && parameter.startsWith('auto') ? 'Left as it is' : outcomes[result];
}

function reportOf({ report = [] }: ScannedPage): HTMLElement | undefined {
  if (report.length === 0) return undefined;
  return element('div', { class: 'fact' }, element('div', { class: 'head' }, element('h3', {}, 'Settings on this page')), element('dl', { class: 'report' }, ...report.map(reported)));
}

function reported(report: Reported): HTMLElement {
  const { parameter, requested, result, why } = report;
  const value = typeof requested === 'boolean' ? '' : valueWord(requested, parameter);
  const outcome = outcomeOf(report);
  return element(
    'div', { class: `outcome ${result}` },
    element('dt', {}, parameterWord(parameter), value !== '' && element('span', { class: 'soft' }, ` ${value}`)),
    element('dd', {}, icon(result === 'ignored' ? 'info' : 'check'), why === undefined ? outcome : `${outcome}: ${why}`),
  );
}
