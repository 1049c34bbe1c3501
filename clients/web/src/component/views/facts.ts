/** The selected page's barcodes, text, findings of plugins, and the result of each setting. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { keyed } from 'lit-html/directives/keyed.js';
import type { Barcode, Reported } from '../../client/shapes.js';
import type { Context } from '../context.js';
import type { Page } from '../pages/page.js';
import { labelOf, valueWord } from '../settings/settingWords.js';
import type { Words } from '../words/words.js';
import { button } from '../pieces/button.js';
import { isDrawn, type Drawn } from '../pieces/controls.js';
import { icon } from '../pieces/icon.js';
import { pageIcons } from '../pieces/pageIcons.js';
import { isMatrix, symbologyWord } from './symbologies.js';
import type { PagesParts } from './parts.js';

/** Nothing, and so without room, if the scan was asked to read nothing and every setting was followed. */
export function factsView({ context, stack }: Pick<PagesParts, 'context' | 'stack'>): Drawn {
  const page = stack.chosen?.page;
  const { words } = context;
  const each: readonly Drawn[] = page
    ? [barcodesOf(context, page), textOf(context, page), findingsOf(words, page), reportOf(words, page)]
    : [];
  const facts = each.filter(isDrawn);
  // Another page begins at its top.
  return facts.length === 0
    ? nothing
    : html`<section id="facts" class="facts" part="facts" aria-label=${words('pages.facts')}>
        ${keyed(page, html`${facts}`)}
      </section>`;
}

const fact = (title: string, more: unknown, body: unknown): TemplateResult =>
  html`<div class="fact">
    <div class="head">
      <h3>${title}</h3>
      ${more}
    </div>
    ${body}
  </div>`;

const wasAsked = ({ report = [] }: Page, parameter: string): boolean =>
  report.some(each => each.parameter === parameter && each.result !== 'ignored');

/** How long a button shows that it has copied, ms. */
const SAID_MS = 1500;
/** What was copied last, and whether the browser allowed it. */
const copied = new WeakMap<Context, { readonly text: string; readonly done: boolean }>();

async function copy(context: Context, text: string): Promise<void> {
  const done = await navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
  const now = { text, done };
  copied.set(context, now);
  context.announce(context.words(done ? 'facts.copied' : 'facts.not-copied'));
  context.changed();
  setTimeout(() => {
    if (copied.get(context) === now) copied.delete(context);
    context.changed();
  }, SAID_MS);
}

function copyButton(context: Context, text: string, label: string, square: boolean): TemplateResult {
  const now = copied.get(context);
  return button(context.words('facts.copy'), () => void copy(context, text), {
    icon: now?.text !== text ? pageIcons.copy : now.done ? pageIcons.check : 'alert',
    class: square ? 'ghost' : 'ghost small',
    square,
    label,
  });
}

function barcodesOf(context: Context, page: Page): Drawn {
  const { words } = context;
  const { barcodes } = page;
  if (barcodes.length === 0 && !wasAsked(page, 'barcodeReadingEnabled')) return nothing;
  return fact(
    words('facts.barcodes'),
    barcodes.length > 0 ? html`<span class="count">${words.number(barcodes.length)}</span>` : nothing,
    barcodes.length > 0
      ? html`<ul class="codes">
          ${barcodes.map(code => codeOf(context, code))}
        </ul>`
      : html`<p class="soft">${words('facts.no-barcodes')}</p>`,
  );
}

function codeOf(context: Context, { text, barcodeType, confidence }: Barcode): TemplateResult {
  const { words } = context;
  const percent = words.number(confidence, { style: 'percent', maximumFractionDigits: 0 });
  return html`<li class="code">
    <span class="code-sign">${icon(isMatrix(barcodeType) ? pageIcons.matrix : pageIcons.linear)}</span>
    <div class="code-words">
      <span class="code-text" dir="auto">${text}</span>
      <span class="soft">${words('facts.barcode-sure', { type: symbologyWord(barcodeType), percent })}</span>
    </div>
    ${copyButton(context, text, words('facts.copy-barcode', { text: text.slice(0, 40) }), true)}
  </li>`;
}

function textOf(context: Context, page: Page): Drawn {
  const { words } = context;
  const text = page.ocrText.trim();
  if (text === '' && !wasAsked(page, 'ocrEnabled')) return nothing;
  return fact(
    words('facts.text'),
    text === '' ? nothing : copyButton(context, text, words('facts.copy-text'), false),
    text === ''
      ? html`<p class="soft">${words('facts.no-text')}</p>`
      : html`<pre class="read" dir="auto" tabindex="0" role="group" aria-label=${words('facts.text-read')}>
${text}</pre>`,
  );
}

/** Of plugins' recognisers, as JSON: only the vendor knows what they mean. */
function findingsOf(words: Words, { findings }: Page): Drawn {
  if (!findings) return nothing;
  const said = (value: unknown): string =>
    value === null ? words('facts.nothing') : typeof value === 'string' ? value : JSON.stringify(value);
  const found = Object.entries(findings).map(
    ([kind, value]) =>
      html`<div class="outcome applied">
        <dt>${kind}</dt>
        <dd>${said(value)}</dd>
      </div>`,
  );
  return fact(words('facts.findings'), nothing, html`<dl class="report">${found}</dl>`);
}

/** Only if a setting was not followed: a page that needed no change is not worth a word. */
function reportOf(words: Words, { report = [] }: Page): Drawn {
  if (!report.some(({ result, why }) => result === 'ignored' && why !== undefined)) return nothing;
  const reports = report.map(each => reported(words, each));
  return fact(words('facts.report'), nothing, html`<dl class="report">${reports}</dl>`);
}

function outcomeOf(words: Words, { parameter, requested, result }: Reported): string {
  if (result === 'applied' && typeof requested !== 'boolean') return words('facts.as-requested');
  // Usually because the page needed no change.
  return words(result === 'ignored' && parameter.startsWith('auto') ? 'facts.not-needed' : `facts.${result}`);
}

function reported(words: Words, report: Reported): TemplateResult {
  const { parameter, requested, result, why } = report;
  const outcome = outcomeOf(words, report);
  return html`<div class=${`outcome ${result}`}>
    <dt>
      ${labelOf(words, parameter)}
      ${
        typeof requested === 'boolean'
          ? nothing
          : html`<span class="soft">${valueWord(words, requested, parameter)}</span>`
      }
    </dt>
    <dd>
      ${icon(result === 'ignored' ? 'info' : pageIcons.check)}${
        why === undefined ? outcome : words('facts.outcome', { outcome, why })
      }
    </dd>
  </div>`;
}
