/** The question whether this page may scan: it is answered on the service's own page. */
import { html } from 'lit-html';
import type { ConsentQuestion } from '../../client/consent/consent.js';
import type { ScanDialog } from '../scanDialog.js';
import { icon } from '../pieces/icon.js';

export function ask(dialog: ScanDialog, { link, signal }: ConsentQuestion): void {
  const { context } = dialog;
  const show = (aside: ScanDialog['aside']): void => {
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
