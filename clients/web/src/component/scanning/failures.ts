/** Failures with a way out: a scan cannot go on, the service has no room, nobody allowed the page, which is asked for here. */
import { html, type TemplateResult } from 'lit-html';
import type { ConsentQuestion } from '../../client/consent/consent.js';
import { PlatenError } from '../../client/errors.js';
import type { Context } from '../context.js';
import type { Notices } from '../messages/notices.js';
import { remedyOf } from '../messages/remedies.js';
import { icon } from '../pieces/icon.js';
import type { ShownDocument } from '../shownDocument.js';
import type { ShownScans } from './shownScans.js';
import { scanOf } from '../pages/layout.js';

export interface FailureParts {
  readonly context: Context;
  readonly notices: Notices;
  readonly shownScans: ShownScans;
  readonly shownDocument: Pick<ShownDocument, 'stack'>;
  /** Looks for scanners. */
  look(): Promise<void>;
  fail(error: unknown): Promise<void>;
}

/** @param error with a link, or `storage-full` */
export function showFailure(dialog: FailureParts, error: PlatenError): void {
  if (error.code === 'storage-full') tellFull(dialog, error);
  else tellConsent(dialog, error);
}

/** Pages that were removed fill the service's room until their removal cannot be undone. */
function tellFull(dialog: FailureParts, error: PlatenError): void {
  const { notices, shownScans, shownDocument } = dialog;
  const { words } = dialog.context;
  const { stack } = shownDocument;
  notices.show('alert', {
    title: words('error.storage-full.title'),
    detail: error.message,
    remedy: words('error.storage-full.remedy'),
    action: {
      text: words('dialog.discard-removed'),
      run() {
        const before = shownScans.all;
        // Pages that were saved and still show stay.
        shownScans.letGo(new Set(stack.all.map(({ id }) => scanOf(id))));
        const gone = new Set(before.filter(scan => !shownScans.has(scan)).map(({ id }) => id));
        stack.forget(id => gone.has(scanOf(id)));
        notices.show('note', { title: words('dialog.discarded') });
      },
    },
  });
}

/** Where the question whether this page may scan is drawn. */
export interface ConsentParts {
  readonly context: Context;
  aside: (() => TemplateResult) | undefined;
}

/** The question is answered on the service's own page. */
export function askConsent(dialog: ConsentParts, { link, signal }: ConsentQuestion): void {
  const { context } = dialog;
  const show = (aside: ConsentParts['aside']): void => {
    dialog.aside = aside;
    context.changed();
  };
  // A link: browsers block what opens a tab without a press, and a link shows where it leads.
  const aside = () =>
    html`<section class="notice note" id="asking" aria-label=${context.words('error.consent-required.title')}>
      ${icon('info')}
      <div class="words">
        <strong>${context.words('error.consent-required.title')}</strong>
        <p>${context.words('error.consent-required.remedy')}</p>
      </div>
      <a id="answer" href=${link} target="_blank" rel="noopener">${context.words('consent.answer')}</a>
    </section>`;
  signal.addEventListener('abort', () => dialog.aside === aside && show(undefined));
  if (!signal.aborted) show(aside);
}

/** A "no", or a right that the person did not give. If the grant ended, asks for it again: pages that came meanwhile follow. */
function tellConsent(dialog: FailureParts, { code, link, may = ['scan'], message }: PlatenError): void {
  const { notices, look } = dialog;
  const { words } = dialog.context;
  const isNo = code === 'consent-refused';
  if (!isNo && may.includes('scan')) return void look();
  // They come back from there.
  const onOpen = (): void => addEventListener('focus', () => void look(), { once: true });
  const remedy = words(isNo ? 'error.consent-refused.remedy' : 'error.consent-required.remedy');
  // Without an action: it goes with the next look.
  notices.show('alert', {
    title: words(isNo ? 'error.consent-refused.title' : 'error.consent-required.title'),
    detail: isNo ? undefined : message,
    remedy: html`${remedy}
      <a href=${link} target="_blank" rel="noopener" @click=${onOpen}>${words('consent.change')}</a>`,
  });
}

/** A scan that could not go on: it can be tried again. */
export function showRefusal(dialog: FailureParts, error: unknown, onContinue: () => void): void {
  if (!(error instanceof PlatenError) || error.link) return void dialog.fail(error);
  const { context, notices } = dialog;
  const { words } = context;
  const { title, remedy } = remedyOf(words, error.code);
  notices.show('alert', {
    title,
    detail: error.message,
    remedy,
    action: { text: words('scan.continue'), run: onContinue },
  });
}
